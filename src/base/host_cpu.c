/* SPDX-License-Identifier: MIT */
#include "base/host_cpu.h"

#include <string.h>
#include <sys/auxv.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

enum { REGISTERS = 4, A = 1, B = 2, C = 4, D = 8 };

/* Registers that tell the same on every core: leaf 1's EBX, for one, holds the core's number. */
static const struct {
    unsigned leaf, subleaf, registers;
} asked[] = {{0, 0, B | C | D}, /* vendor */
             {1, 0, A | C | D}, /* model, features */
             {7, 0, B | C | D}, /* more of them */
             {7, 1, A | B | D},
             {0xD, 0, B}, /* bytes of the registers that the system has enabled */
             {0xD, 1, A},
             {0x24, 0, B},           /* AVX10 */
             {0x80000001, 0, C | D}, /* AMD's */
             {0x80000008, 0, B}};

enum { LEAVES = sizeof asked / sizeof asked[0] };

static void ask(unsigned told[LEAVES][REGISTERS])
{
    for (int i = 0; i < LEAVES; ++i) {
        unsigned *r = told[i];
        __get_cpuid_count(asked[i].leaf, asked[i].subleaf, &r[0], &r[1], &r[2], &r[3]);
        for (int k = 0; k < REGISTERS; ++k)
            r[k] = asked[i].registers >> k & 1 ? r[k] : 0;
    }
}
#else
enum { LEAVES = 1, REGISTERS = 1 };

static void ask(unsigned told[LEAVES][REGISTERS])
{
    (void)told;
}
#endif

struct hash host_cpu(void)
{
    unsigned told[LEAVES][REGISTERS] = {{0}};
    const unsigned long capabilities[] = {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
    const char *platform = (const char *)getauxval(AT_PLATFORM); /* "power9", "z14" */
    platform = platform ? platform : "";
    ask(told);
    const struct hash_part parts[] = {
        {told, sizeof told}, {capabilities, sizeof capabilities}, {platform, strlen(platform)}};
    return hash_of(parts, sizeof parts / sizeof parts[0]);
}
