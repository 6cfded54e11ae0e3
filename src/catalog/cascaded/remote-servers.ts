/** Joins cascaded stores with the servers they name: what a client says is checked and sealed, and capabilities are read. */
import type { Capabilities, CascadedService, RemoteLayer } from '../../data/cascade/capabilities.ts';
import { secretsIn, tellable } from '../../data/cascade/confidential.ts';
import { readCapabilities, readingCapabilities, unpacked } from '../../data/cascade/read-capabilities.ts';
import { type PictureToWarp, warpingPicture } from '../../data/cascade/warp-picture.ts';
import { withinDeadline } from '../../data/deadline.ts';
import type { ReadPicture } from '../../data/raster/pictures/read-pictures.ts';
import type { OpenUrlOptions, UrlGate } from '../../gates/url-gate.ts';
import { isAdministrator, type Principal } from '../../lib/principal.ts';
import { Problem, problem } from '../../lib/problem.ts';
import type { Sealer } from '../../security/keystore/sealer.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { UnreachableStores } from '../stores/unreachable-stores.ts';
import { type CascadedStore, serviceOf } from './cascaded-store.ts';
import { type Connection, credentialsOf } from './connection.ts';
import { addressWith, type RemoteAnswer, type RemoteQuestion } from './remote-answers.ts';

/** How another server is reached, as documents say it: absent stays, null clears. */
export interface ConnectionDraft {
  readonly capabilitiesURL?: string | null;
  readonly user?: string | null;
  readonly password?: string | null;
  readonly headerName?: string | null;
  readonly headerValue?: string | null;
  readonly maxConnections?: number | null;
  readonly readTimeout?: number | null;
  readonly connectTimeout?: number | null;
}

const plainNames = ['capabilitiesURL', 'user', 'headerName'] as const;
const secretNames = ['password', 'headerValue'] as const;
const numberNames = ['maxConnections', 'readTimeout', 'connectTimeout'] as const;

/** What is meant where nobody says otherwise; times are in seconds. */
export const usualNumbers = { maxConnections: 6, readTimeout: 60, connectTimeout: 30 } as const;

/** Beyond an hour nobody waits, and beyond a thousand connections nobody answers. */
const greatestNumbers = { maxConnections: 1_000, readTimeout: 3_600, connectTimeout: 3_600 } as const;

/** The largest servers describe ten thousand layers in so much. */
const MAX_CAPABILITIES_BYTES = 67_108_864;

/** Read within some milliseconds: a thread would take longer to begin. */
const SMALL_BYTES = 65_536;

export interface RemoteServersOptions {
  readonly urlGate: UrlGate;
  readonly sealer: Sealer;
  readonly workers: WorkerPool;
  readonly deadlineMs: number;
  /** How long whoever saves a store waits at most to hear whether its server answers. */
  readonly probeMs: number;
  readonly unreachable: UnreachableStores;
  readonly clock: () => number;
}

/** For so long what a server says of a layer is believed; a change of the store makes it be asked anew. */
const BELIEVED_MS = 300_000;

/** So many layers are remembered; the oldest go first. */
const MAX_REMEMBERED = 1_000;

interface RememberedLayer {
  readonly until: number;
  readonly layer: Promise<RemoteLayer>;
}

export interface RemoteServers {
  /** Checks what a client says of a connection; its URL must be one that may be opened. */
  accept(
    service: CascadedService,
    draft: ConnectionDraft,
    context: { readonly principal: Principal; readonly current?: CascadedStore },
  ): Promise<Connection>;
  /** What the server of a store says of itself: its layers by name, and one of them whole. */
  capabilities(store: CascadedStore, layer: string | null): Promise<Capabilities>;
  /** One of its layers as its capabilities tell of it, which are not asked for each time anew. */
  layer(store: CascadedStore, name: string): Promise<RemoteLayer>;
  /** What it answers to a question at the address of its capabilities, or at one that these name. */
  ask(
    store: CascadedStore,
    question: RemoteQuestion,
    accept: string,
    maxBytes: number,
    signal: AbortSignal,
    /** Statuses by which it answers that nothing is there. */
    nothingBy?: readonly number[],
  ): Promise<RemoteAnswer>;
  /** Brings a picture that it has answered with onto the grid of a map. */
  warp(picture: PictureToWarp, signal: AbortSignal): Promise<ReadPicture>;
  /** Why the server does not answer as it should; undefined if it does. It does not take long. */
  whyUnreachable(name: string, service: CascadedService, connection: Connection): Promise<Problem | undefined>;
  /** Tells whoever runs this server of a store that was saved although its server does not answer. */
  noteUnreachable(store: CascadedStore, why: Problem): Promise<void>;
  /** The same for a request that must leave no trace: no store is switched off. */
  withoutEffect(): RemoteServers;
}

export function openRemoteServers(options: RemoteServersOptions): RemoteServers {
  const { unreachable, deadlineMs, probeMs } = options;
  const doNothing = async () => undefined;
  const remembered = new Map<string, RememberedLayer>();

  function remember(store: CascadedStore, name: string, find: () => Promise<RemoteLayer>): Promise<RemoteLayer> {
    const key = `${store.id} ${store.version} ${name}`;
    const known = remembered.get(key);
    if (known !== undefined && known.until > options.clock()) return known.layer;
    const layer = find();
    remembered.delete(key);
    remembered.set(key, { until: options.clock() + BELIEVED_MS, layer });
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    layer.catch(() => remembered.delete(key));
    return layer;
  }
  const serversWith = (
    onFailure: UnreachableStores['failed'],
    noteUnreachable: RemoteServers['noteUnreachable'],
  ): RemoteServers => {
    async function asked<T>(store: CascadedStore, ask: () => Promise<T>): Promise<T> {
      if (!store.enabled) {
        throw problem('store-disabled', { name: store.name });
      }
      try {
        const found = await ask();
        unreachable.reached(store.id);
        return found;
      } catch (error) {
        await onFailure(store, error);
        throw error;
      }
    }

    const capabilities = (store: CascadedStore, layer: string | null) =>
      asked(store, () => askForCapabilities(options, { ...store, service: serviceOf(store) }, layer, deadlineMs));

    return {
      accept: (service, draft, context) => acceptConnection(options, service, draft, context),
      capabilities,
      layer: (store, name) =>
        remember(store, name, async () => {
          const { layer } = await capabilities(store, name);
          if (layer === null) {
            throw problem('remote-map-failed', { layer: name, reason: 'it has no such layer any more' });
          }
          return layer;
        }),
      ask: (store, question, accept, maxBytes, signal, nothingBy = []) =>
        asked(store, () => askAnything(options, store, question, { accept, maxBytes, nothingBy }, signal)),
      warp: (picture, signal) => options.workers.run(warpingPicture, picture, { signal, deadlineMs: null }),
      async whyUnreachable(name, service, connection) {
        try {
          await askForCapabilities(options, { ...connection, name, service }, null, Math.min(probeMs, deadlineMs));
          return undefined;
        } catch (error) {
          if (error instanceof Problem) {
            return error;
          }
          throw error;
        }
      },
      noteUnreachable,
      withoutEffect: () => serversWith(doNothing, doNothing),
    };
  };
  return serversWith(unreachable.failed, unreachable.note);
}

async function acceptConnection(
  { urlGate, sealer }: RemoteServersOptions,
  service: CascadedService,
  draft: ConnectionDraft,
  { principal, current }: { readonly principal: Principal; readonly current?: CascadedStore },
): Promise<Connection> {
  const before: Readonly<Record<string, string>> = current?.parameters ?? {};
  const texts = plainNames.map((name) => [name, textAfter(draft[name], before[name])] as const);
  const numbers = numberNames.map((name) => [name, numberAfter(name, draft[name], before[name])] as const);
  const given = [...texts, ...numbers].flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const parameters: Readonly<Record<string, string>> = Object.fromEntries(given);
  const url = parameters['capabilitiesURL'];
  if (url === undefined) {
    throw problem('cascaded-store-without-url', { service, field: 'capabilitiesURL' });
  }
  const headerName = parameters['headerName'];
  if (headerName !== undefined && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(headerName)) {
    throw invalid('headerName', 'it is no name of an HTTP header');
  }
  if (url !== before['capabilitiesURL']) {
    const decision = await urlGate.check(url);
    if (decision.kind === 'refused') {
      throw problem('url-refused', { url: decision.shown, reason: decision.reason });
    }
  }
  const isElsewhere = originOf(url) !== originOf(before['capabilitiesURL'] ?? '');
  // Who may not see all shall not send the password of others to a host of their own.
  const kept = isElsewhere && !isAdministrator(principal) ? {} : (current?.sealedParameters ?? {});
  const secrets = secretNames.flatMap((name) => {
    const sent = draft[name];
    if (sent === null || sent === '') {
      return [];
    }
    if (sent === undefined) {
      return kept[name] === undefined ? [] : [[name, kept[name]] as const];
    }
    if (/[\r\n\0]/.test(sent)) {
      throw invalid(name, 'it holds a line end');
    }
    return [[name, sealer.seal(sent)] as const];
  });
  return { parameters, sealedParameters: Object.fromEntries(secrets) };
}

function textAfter(sent: string | null | undefined, before: string | undefined): string | undefined {
  const text = sent === undefined ? before : (sent?.trim() ?? '');
  return text === '' ? undefined : text;
}

function numberAfter(
  name: (typeof numberNames)[number],
  sent: number | null | undefined,
  before: string | undefined,
): string | undefined {
  const number = sent === undefined ? before : sent;
  if (number === undefined || number === null) {
    return undefined;
  }
  const greatest = greatestNumbers[name];
  if (Number(number) < 1 || Number(number) > greatest) {
    throw invalid(name, `a number from 1 to ${greatest} was expected, but ${number} was found`);
  }
  return String(number);
}

function invalid(name: string, reason: string): Problem {
  return problem('cascaded-store-invalid', { name, reason, field: name });
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? '';
}

async function askForCapabilities(
  { urlGate, sealer, workers }: RemoteServersOptions,
  server: Connection & { readonly name: string; readonly service: CascadedService },
  layer: string | null,
  deadlineMs: number,
): Promise<Capabilities> {
  const { name, service } = server;
  const unreachable = (reason: string) => problem('store-unreachable', { name, reason });
  const { capabilitiesURL = '', readTimeout } = server.parameters;
  const patienceMs = Number(readTimeout ?? usualNumbers.readTimeout) * 1_000;
  return withinDeadline(Math.min(deadlineMs, patienceMs), name, async (signal) => {
    const credentials = credentialsOf(sealer, name, server);
    const question = questionFor(capabilitiesURL, service);
    try {
      const { body, contentType } = await urlGate.open(question, {
        signal,
        maxBytes: MAX_CAPABILITIES_BYTES,
        accept: 'application/xml, text/xml, */*;q=0.1',
        ...(credentials === undefined ? {} : { credentials }),
      });
      const bytes = inSharedMemory(await body.toArray({ signal }));
      const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
      const sent = { service, bytes, charset, layer };
      const outcome =
        bytes.length <= SMALL_BYTES
          ? await readCapabilities(sent)
          : unpacked(await workers.run(readingCapabilities, sent, { signal, deadlineMs: null }));
      if ('objection' in outcome) {
        throw unreachable(tellable(outcome.objection, bytes, secretsIn(question, credentials)));
      }
      return outcome.capabilities;
    } catch (error) {
      throw unreachableIf(error, name);
    }
  });
}

async function askAnything(
  { urlGate, sealer, deadlineMs }: RemoteServersOptions,
  store: CascadedStore,
  question: RemoteQuestion,
  wanted: Required<Pick<OpenUrlOptions, 'accept' | 'maxBytes' | 'nothingBy'>>,
  gone: AbortSignal,
): Promise<RemoteAnswer> {
  const { name, parameters } = store;
  const patienceMs = Number(parameters['readTimeout'] ?? usualNumbers.readTimeout) * 1_000;
  const { capabilitiesURL = '' } = parameters;
  const url = typeof question === 'string' ? question : addressWith(capabilitiesURL, question);
  return withinDeadline(Math.min(deadlineMs, patienceMs), name, async (late) => {
    // Who we are is for the server that people named, and not for those that it names.
    const isSameServer = originOf(url) === originOf(capabilitiesURL);
    const credentials = isSameServer ? credentialsOf(sealer, name, store) : undefined;
    const signal = AbortSignal.any([gone, late]);
    try {
      const {
        body,
        contentType = '',
        isNothing,
      } = await urlGate.open(url, {
        signal,
        ...wanted,
        ...(credentials === undefined ? {} : { credentials }),
      });
      const bytes = Buffer.concat(await body.toArray({ signal }));
      const [mediaType = ''] = contentType.toLowerCase().split(';');
      return { bytes, mediaType: mediaType.trim(), isNothing, secrets: secretsIn(url, credentials) };
    } catch (error) {
      gone.throwIfAborted();
      throw unreachableIf(error, name);
    }
  });
}

/** What the gate says of a server that does not answer is said of the store. */
function unreachableIf(error: unknown, name: string): unknown {
  const isOfGate = error instanceof Problem && error.code.startsWith('url-') && error.code !== 'url-refused';
  return isOfGate ? problem('store-unreachable', { name, reason: error.message.replace(/\.$/, '') }) : error;
}

/** Megabytes that were copied for another thread would keep everybody waiting. */
function inSharedMemory(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(pieces.reduce((total, { length }) => total + length, 0)));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The address that capabilities are asked for at: who gives one with a request, or of a file, means it as it is. */
export function questionFor(capabilitiesURL: string, service: CascadedService): string {
  const [address = '', query = ''] = capabilitiesURL.split(/\?(.*)/s);
  const names = query.split('&').map((pair) => pair.split('=')[0]?.toLowerCase());
  if (names.includes('request') || /\.xml$/i.test(address)) {
    return capabilitiesURL;
  }
  const missing = names.includes('service') ? [] : [`SERVICE=${service}`];
  const parts = [query.replace(/&$/, ''), ...missing, 'REQUEST=GetCapabilities'];
  return `${address}?${parts.filter((part) => part !== '').join('&')}`;
}
