/** An S3-compatible store in its own process. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from './child.ts';
import { freePort } from './server-child.ts';

export interface StoreChild extends Child {
  /** The address with a prefix of the keys, as `--blobs` and `--tiles` accept it. */
  addressOf(prefix: string): string;
}

export const storeCredentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** The credentials for servers. */
export const storeVariables = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

export async function startStoreChild(folder: string): Promise<StoreChild> {
  const port = await freePort();
  await mkdir(folder, { recursive: true });
  const main = fileURLToPath(new URL('./object-store.ts', import.meta.url));
  const origin = `http://127.0.0.1:${port}`;
  const child = await startChild([main, String(port), folder], `${origin}/maps`);
  return { ...child, addressOf: (prefix) => `s3://maps/${prefix}?endpoint=${origin}` };
}
