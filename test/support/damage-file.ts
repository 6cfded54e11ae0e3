/** Damages files as a failing disk does. */
import { chmod, open } from 'node:fs/promises';

/** Inverts one byte in the middle of a file. */
export async function damageFile(file: string): Promise<void> {
  await chmod(file, 0o600);
  const handle = await open(file, 'r+');
  try {
    const position = Math.floor((await handle.stat()).size / 2);
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, position);
    await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 0xff]), 0, 1, position);
  } finally {
    await handle.close();
  }
}
