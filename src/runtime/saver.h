/* SPDX-License-Identifier: MIT */
/*
 * Programs on their way to the disk. Asking a driver for a binary can cost as much as a build, so it is
 * done by a thread of the device's own, after the program's first use is complete. The thread starts
 * with the first program that has something to save, takes no signals, and is joined by the device's
 * last release; under NO_THREADS there is none, and saver_flush does its work.
 */
#ifndef RUNTIME_SAVER_H
#define RUNTIME_SAVER_H

#include "runtime/device.h"

/* Whether the next enqueue of this program should have an event and be noted. Cheap: one load. */
static inline bool saver_wants(struct program_slot *slot)
{
    return atomic_load_explicit(&slot->save, memory_order_relaxed) == SAVE_BUILT;
}

/* Notes the event of a command that uses the program; the event is retained. */
void saver_note(struct clslice_device *device, struct program_slot *slot, cl_event event);

/* Saves, or waits until the thread has saved, every program whose first use is complete. False where
 * one is left whose use is not. */
bool saver_flush(struct clslice_device *device);

#endif
