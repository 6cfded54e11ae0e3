/** Sends data files to the target, one by one. Files that the target has are not sent again. */
import { ResponseError, type ServerClient } from '../../client/command.ts';
import { type CopiedFile, createChangedError, streamFile } from './data-copies.ts';

/** A request with this many hashes has 700 KB. */
const HASHES_AT_ONCE = 10_000;

export async function listMissingFiles(
  server: ServerClient,
  files: readonly CopiedFile[],
): Promise<readonly CopiedFile[]> {
  const missing = new Set<string>();
  for (let start = 0; start < files.length; start += HASHES_AT_ONCE) {
    const sha256 = files.slice(start, start + HASHES_AT_ONCE).map((file) => file.sha256);
    const body = { type: 'application/json', bytes: Buffer.from(JSON.stringify({ sha256 })) };
    const reply = await server.send({ method: 'POST', path: '/configuration/files/missing', body });
    const listed = JSON.parse(await reply.text()) as { readonly sha256: readonly string[] };
    for (const each of listed.sha256) missing.add(each);
  }
  return files.filter(({ sha256 }) => missing.has(sha256));
}

export async function sendFiles(server: ServerClient, files: readonly CopiedFile[]): Promise<void> {
  for (const file of files) await sendFile(server, file);
}

async function sendFile(server: ServerClient, file: CopiedFile): Promise<void> {
  let failure: unknown;
  async function* readContent(): AsyncGenerator<Uint8Array> {
    try {
      yield* streamFile(file);
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const body = { type: 'application/octet-stream', length: file.bytes, stream: readContent };
  try {
    const reply = await server.send({ method: 'PUT', path: `/configuration/files/${file.sha256}`, body });
    await reply.text();
  } catch (error) {
    // The error of the connection only follows from the file.
    const isOther = error instanceof ResponseError && error.code === 'file-hash-mismatch';
    throw failure ?? (isOther ? createChangedError(file) : error);
  }
}
