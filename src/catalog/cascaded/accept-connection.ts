/** Validates the connection to a remote server that a client sends, and encrypts its secrets. */
import type { CascadedService } from '../../cascade/capabilities.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import type { CascadedStore } from '../kinds/cascaded-store.ts';
import { type Connection, parseOrigin } from './connection.ts';

/** The connection fields of a document: an absent field stays unchanged, null clears it. */
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

/** Upper limits: an hour for timeouts, a thousand connections. */
const maxNumbers = { maxConnections: 1_000, readTimeout: 3_600, connectTimeout: 3_600 } as const;

/** Validates the connection, without opening its URL. */
export async function acceptConnection(
  { urlGate, sealer }: { readonly urlGate: UrlGate; readonly sealer: Sealer },
  service: CascadedService,
  draft: ConnectionDraft,
  { principal, current }: { readonly principal: Principal; readonly current?: CascadedStore },
): Promise<Connection> {
  const before: Readonly<Record<string, string>> = current?.parameters ?? {};
  const texts = plainNames.map((name) => [name, mergeText(draft[name], before[name])] as const);
  const numbers = numberNames.map((name) => [name, mergeNumber(name, draft[name], before[name])] as const);
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
    throw createInvalidConnectionProblem('headerName', 'it is not a valid HTTP header name');
  }
  if (url !== before['capabilitiesURL']) {
    const decision = await urlGate.check(url);
    // URL checks can change at any time, so they only decide when the URL is opened.
    if (decision.kind === 'refused' && decision.isInvalid) {
      throw problem('url-refused', { url: decision.shown, reason: decision.reason });
    }
  }
  const isElsewhere = parseOrigin(url) !== parseOrigin(before['capabilitiesURL'] ?? '');
  // Workspace administrators must not redirect a stored password to a host of their own.
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
      throw createInvalidConnectionProblem(name, 'it contains a line break');
    }
    return [[name, sealer.seal(sent)] as const];
  });
  return { parameters, sealedParameters: Object.fromEntries(secrets) };
}

function mergeText(sent: string | null | undefined, before: string | undefined): string | undefined {
  const text = sent === undefined ? before : (sent?.trim() ?? '');
  return text === '' ? undefined : text;
}

function mergeNumber(
  name: (typeof numberNames)[number],
  sent: number | null | undefined,
  before: string | undefined,
): string | undefined {
  const number = sent === undefined ? before : sent;
  if (number === undefined || number === null) {
    return undefined;
  }
  const greatest = maxNumbers[name];
  if (Number(number) < 1 || Number(number) > greatest) {
    throw createInvalidConnectionProblem(name, `${number} is out of range. Use a number from 1 to ${greatest}`);
  }
  return String(number);
}

function createInvalidConnectionProblem(name: string, reason: string): Problem {
  return problem('cascaded-store-invalid', { name, reason, field: name });
}
