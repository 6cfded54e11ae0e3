/**
 * Frees the memory of buffers that nothing uses any more. The garbage collector frees it too, but only after 64 MB of an
 * upload have become garbage. Buffers that share their memory with others are left to it.
 */
export function freeBuffers(buffers: readonly Buffer[]): void {
  for (const { buffer, byteOffset, length } of buffers) {
    if (buffer instanceof ArrayBuffer && byteOffset === 0 && length === buffer.byteLength) buffer.transfer(0);
  }
}
