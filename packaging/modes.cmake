# SPDX-License-Identifier: MIT
# CPack runs this before it packs what it has installed: everyone may enter a package's folders,
# whatever the umask was.
file(CHMOD_RECURSE ${CPACK_TEMPORARY_DIRECTORY} DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
