/** Uploads of files with progress, which `fetch` does not report. */
import { dropAnswers } from './cache.ts';
import { callRest, getAuthorization, type RestReply, readWarnings, restRoot } from './client.ts';
import { createNetworkProblem, readProblem } from './problems.ts';

export interface UploadRequest {
  /** PUT if absent. */
  readonly method?: 'PUT' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly contentType: string;
  /** Called with the share of the bytes that are sent, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a file. An abort rejects with the reason of the signal. */
export async function uploadFile<T>(path: string, request: UploadRequest): Promise<RestReply<T>> {
  // A session that has ended is renewed before the file is sent, not after it.
  await callRest('/security/self', { signal: request.signal });
  const reply = await sendFile(path, request);
  const text = await reply.clone().text();
  if (!reply.ok) throw await readProblem(reply);
  const change = reply.headers.get('graticule-change');
  if (change !== null) await dropAnswers(path);
  return {
    body: (text === '' ? undefined : JSON.parse(text)) as T,
    etag: reply.headers.get('etag'),
    change: change === null ? null : Number(change),
    total: null,
    warnings: readWarnings(reply.headers.get('warning')),
  };
}

function sendFile(
  path: string,
  { method = 'PUT', headers = {}, body, contentType, onProgress, signal }: UploadRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, `${restRoot}${path}`);
    const authorization = getAuthorization();
    if (authorization !== undefined) request.setRequestHeader('authorization', authorization);
    request.setRequestHeader('content-type', contentType);
    request.setRequestHeader('accept', 'application/json, application/problem+json;q=0.9');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(createNetworkProblem());
    request.onload = () => {
      const { status, statusText, responseText } = request;
      // A reply of some statuses cannot have a body, also no empty one.
      const content = responseText === '' ? null : responseText;
      resolve(new Response(content, { status, statusText, headers: readHeaders(request) }));
    };
    const stop = () => {
      request.abort();
      reject(signal?.reason);
    };
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    request.send(body);
  });
}

function readHeaders(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  return new Headers(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
}
