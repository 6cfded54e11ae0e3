/** Saves a file of the server: it needs credentials, so a plain link cannot fetch it. */
import { callRestFile, callService, type RestRequest } from './client.ts';

/** The browser collects the file before it saves it; larger ones are for the command line. */
export const MAX_DOWNLOAD_BYTES = 200_000_000;

export class DownloadTooLarge extends Error {
  override readonly name = 'DownloadTooLarge';
}

interface DownloadOptions extends RestRequest {
  readonly fileName: string;
  readonly onProgress?: (bytes: number) => void;
}

/** Saves a file of the REST interface; the path is below its root. Returns the number of bytes. */
export function saveDownload(path: string, options: DownloadOptions): Promise<number> {
  return download((request) => callRestFile(path, request), options);
}

/** Saves an answer of a service; the path is below the context path. */
export function saveServiceDownload(path: string, options: DownloadOptions): Promise<number> {
  return download((request) => callService(path, request), options);
}

async function download(call: (request: RestRequest) => Promise<Response>, options: DownloadOptions): Promise<number> {
  const { fileName, onProgress, ...request } = options;
  const stop = new AbortController();
  request.signal?.addEventListener('abort', () => stop.abort());
  const reply = await call({ ...request, signal: stop.signal });
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
