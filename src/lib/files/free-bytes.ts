/**
 * Gives memory back at once, of which nobody needs the bytes any more. What the engine is left to clear up counts until
 * then, and a few megabytes that come and go with each map make it clear up all of the heap every few maps.
 */
export function freeBytes(...views: readonly ArrayBufferView[]): void {
  for (const { buffer } of views) {
    // Another thread has what was handed over, and nothing is left here to be freed.
    if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
  }
}
