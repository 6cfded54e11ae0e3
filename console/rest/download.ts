/** Saves a file of the server: it needs credentials, so a plain link cannot fetch it. */
import { callRestFile, type RestRequest } from './client.ts';

/** The browser collects the file before it saves it; larger ones are for the command line. */
export const MAX_DOWNLOAD_BYTES = 200_000_000;

export class DownloadTooLarge extends Error {
  override readonly name = 'DownloadTooLarge';
}

interface DownloadOptions extends RestRequest {
  readonly fileName: string;
  readonly onProgress?: (bytes: number) => void;
}

/** Returns the number of bytes. */
export async function saveDownload(path: string, options: DownloadOptions): Promise<number> {
  const { fileName, onProgress, ...request } = options;
  const stop = new AbortController();
  request.signal?.addEventListener('abort', () => stop.abort());
  const reply = await callRestFile(path, { ...request, signal: stop.signal });
  const reader = reply.body?.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) break;
    bytes += piece.value.byteLength;
    if (bytes > MAX_DOWNLOAD_BYTES) {
      stop.abort();
      throw new DownloadTooLarge(fileName);
    }
    pieces.push(piece.value);
    onProgress?.(bytes);
  }
  save(new Blob(pieces, { type: 'application/octet-stream' }), fileName);
  return bytes;
}

/** Saves a text of the page. */
export function saveText(text: string, fileName: string): void {
  save(new Blob([text], { type: 'application/octet-stream' }), fileName);
}

function save(blob: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
