/**
 * Frees the memory of buffers immediately. Unreferenced buffers count as used until garbage collection, and the few
 * megabytes of each map would trigger a full collection every few maps.
 */
export function freeBytes(...views: readonly ArrayBufferView[]): void {
  for (const { buffer } of views) {
    // A detached buffer was transferred to another thread.
    if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
  }
}
