# SPDX-License-Identifier: MIT
"""readme.py PAGE HEADING LANGUAGE: the first fenced block of that language between that heading,
such as '## NumPy', and the next one; as it stands."""

import sys

FENCE = "```"


def block(lines: list[str], heading: str, language: str) -> list[str]:
    is_under, fence, found = False, None, []
    for line in lines:
        if line.startswith(FENCE):
            if fence is None:
                fence = line
            elif found:
                return found
            else:
                fence = None
        elif fence is None:
            is_under = line == heading or (is_under and not line.startswith("#"))
        elif is_under and fence == FENCE + language:
            found.append(line)
    raise ValueError(f"no block of {language} under {heading!r}")


def main() -> None:
    path, heading, language = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    try:
        print("\n".join(block(lines, heading, language)))
    except ValueError as error:
        sys.exit(f"{path}: {error}")


if __name__ == "__main__":
    main()
