import type { FileHandle } from 'node:fs/promises';

/** Fills the buffer with the bytes of a file from `start`. */
export async function readPart(handle: FileHandle, buffer: Buffer, start: number): Promise<Buffer> {
  for (let done = 0; done < buffer.length; ) {
    const { bytesRead } = await handle.read(buffer, done, buffer.length - done, start + done);
    if (bytesRead === 0) throw new Error('A file became shorter while it was stored.');
    done += bytesRead;
  }
  return buffer;
}
