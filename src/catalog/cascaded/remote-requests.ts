/** Sends requests to the server of a cascaded store, through the URL gate and within its timeout. */
import type { Capabilities, CascadedService } from '../../cascade/capabilities.ts';
import { collectSecrets, redactReason } from '../../cascade/confidential.ts';
import { readCapabilities, readCapabilitiesTask, unpackCapabilities } from '../../cascade/read-capabilities.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import { withDeadline } from '../../workers/deadline.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { CascadedStore } from '../kinds/cascaded-store.ts';
import { convertUrlProblem } from '../stores/unreachable-stores.ts';
import { type Connection, decryptCredentials, defaultNumbers, parseOrigin } from './connection.ts';
import { buildRequestUrl, type RemoteQuery, type RemoteResponse } from './remote-responses.ts';

export interface RemoteRequestContext {
  readonly urlGate: UrlGate;
  readonly sealer: Sealer;
  readonly workers: WorkerPool;
  readonly deadlineMs: number;
}

/** Large servers describe ten thousand layers within this size. */
const MAX_CAPABILITIES_BYTES = 67_108_864;

/** Parsed in a few milliseconds: starting a thread would take longer. */
const SMALL_BYTES = 65_536;

export async function fetchCapabilities(
  { urlGate, sealer, workers }: RemoteRequestContext,
  server: Connection & { readonly name: string; readonly service: CascadedService },
  layer: string | null,
  deadlineMs: number,
): Promise<Capabilities> {
  const { name, service } = server;
  const unreachable = (reason: string) => problem('store-unreachable', { name, reason });
  const { capabilitiesURL = '', readTimeout } = server.parameters;
  const patienceMs = Number(readTimeout ?? defaultNumbers.readTimeout) * 1_000;
  return withDeadline(Math.min(deadlineMs, patienceMs), name, async (signal) => {
    const credentials = decryptCredentials(sealer, name, server);
    const question = buildCapabilitiesUrl(capabilitiesURL, service);
    try {
      const { body, contentType } = await urlGate.open(question, {
        signal,
        maxBytes: MAX_CAPABILITIES_BYTES,
        accept: 'application/xml, text/xml, */*;q=0.1',
        ...(credentials === undefined ? {} : { credentials }),
      });
      const bytes = copyToSharedMemory(await body.toArray({ signal }));
      const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
      const sent = { service, bytes, charset, layer };
      const outcome =
        bytes.length <= SMALL_BYTES
          ? await readCapabilities(sent)
          : unpackCapabilities(await workers.run(readCapabilitiesTask, sent, { signal, deadlineMs: null }));
      if ('objection' in outcome) {
        throw unreachable(redactReason(outcome.objection, bytes, collectSecrets(question, credentials)));
      }
      return outcome.capabilities;
    } catch (error) {
      throw convertUrlProblem(error, name);
    }
  });
}

export interface RemoteRequestOptions {
  readonly accept: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** The statuses by which the server reports that nothing exists. */
  readonly nothingBy?: readonly number[];
}

export async function fetchRemote(
  { urlGate, sealer, deadlineMs }: RemoteRequestContext,
  store: CascadedStore,
  question: RemoteQuery,
  { signal: gone, ...wanted }: RemoteRequestOptions,
): Promise<RemoteResponse> {
  const { name, parameters } = store;
  const patienceMs = Number(parameters['readTimeout'] ?? defaultNumbers.readTimeout) * 1_000;
  const { capabilitiesURL = '' } = parameters;
  const url = typeof question === 'string' ? question : buildRequestUrl(capabilitiesURL, question);
  return withDeadline(Math.min(deadlineMs, patienceMs), name, async (late) => {
    // Send credentials only to the configured server, not to other servers that it refers to.
    const isSameServer = parseOrigin(url) === parseOrigin(capabilitiesURL);
    const credentials = isSameServer ? decryptCredentials(sealer, name, store) : undefined;
    const signal = AbortSignal.any([gone, late]);
    try {
      const {
        body,
        contentType = '',
        isNothing: isEmpty,
      } = await urlGate.open(url, {
        signal,
        ...wanted,
        ...(credentials === undefined ? {} : { credentials }),
      });
      const bytes = Buffer.concat(await body.toArray({ signal }));
      const [mediaType = ''] = contentType.toLowerCase().split(';');
      return { bytes, mediaType: mediaType.trim(), isEmpty, secrets: collectSecrets(url, credentials) };
    } catch (error) {
      gone.throwIfAborted();
      throw convertUrlProblem(error, name);
    }
  });
}

/** Shared memory avoids copying megabytes to another thread, which would block the event loop. */
function copyToSharedMemory(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(pieces.reduce((total, { length }) => total + length, 0)));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Builds the capabilities URL. A URL that already contains a request, or that refers to a file, is used unchanged. */
function buildCapabilitiesUrl(capabilitiesURL: string, service: CascadedService): string {
  const [address = '', query = ''] = capabilitiesURL.split(/\?(.*)/s);
  const names = query.split('&').map((pair) => pair.split('=')[0]?.toLowerCase());
  if (names.includes('request') || /\.xml$/i.test(address)) {
    return capabilitiesURL;
  }
  const missing = names.includes('service') ? [] : [`SERVICE=${service}`];
  const parts = [query.replace(/&$/, ''), ...missing, 'REQUEST=GetCapabilities'];
  return `${address}?${parts.filter((part) => part !== '').join('&')}`;
}
