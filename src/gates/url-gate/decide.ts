/** May this URL be opened, which check says so, and at which addresses? */
import { setImmediate as others } from 'node:timers/promises';
import { type AddressClass, classifyAddress } from './address-class.ts';
import { type PlainUrl, readPlainUrl } from './plain-url.ts';
import type { ResolvedAddress, ResolveHost } from './resolver.ts';
import { isHostSpecific, type UrlGateCheck } from './specific-host.ts';

export type UrlDecision =
  | {
      readonly kind: 'open';
      readonly url: PlainUrl;
      /** The check that lets it pass. */
      readonly check: string;
      /** Where to connect; looked up once, since a second look could give others. */
      readonly addresses: readonly ResolvedAddress[];
    }
  /** A check lets it pass, but its host has no address. */
  | { readonly kind: 'unresolved'; readonly url: PlainUrl; readonly check: string }
  | {
      readonly kind: 'refused';
      /** As much of the URL as may be said. */
      readonly shown: string;
      readonly reason: string;
      /** The check that matched, if the refusal is for another reason. */
      readonly check?: string;
    };

export interface DecisionRules {
  readonly checks: () => Promise<readonly UrlGateCheck[]>;
  readonly resolve: ResolveHost;
  readonly allowPrivateAddresses: boolean;
  readonly maxLength: number;
  readonly clock: () => number;
}

/** How long matching may go on before other requests get their turn. */
const TURN_MS = 10;

export async function decideUrl(rules: DecisionRules, text: string): Promise<UrlDecision> {
  const read = readPlainUrl(text, rules.maxLength);
  if ('objection' in read) {
    return { kind: 'refused', shown: read.shown, reason: read.objection };
  }
  const { url } = read;
  const matching = await filterInTurns(rules, await rules.checks(), (check) => check.matches(url.href));
  const [first] = matching;
  if (first === undefined) {
    return { kind: 'refused', shown: url.shown, reason: `no enabled URL check matches it; ${formatAllowHint(url)}` };
  }

  // Strangers learn nothing about names inside: only a URL that a check matches is looked up.
  const addresses = await resolveAddresses(rules, url);
  if (addresses.length === 0) {
    return { kind: 'unresolved', url, check: first.name };
  }
  const classes = addresses.map(({ address }) => classifyAddress(address));
  if (rules.allowPrivateAddresses || classes.every(({ kind }) => kind === 'outside')) {
    return { kind: 'open', url, check: first.name, addresses };
  }
  // One address inside is enough to judge by: which one of several is connected to would be luck.
  const sealed = classes.find(({ kind }) => kind === 'sealed');
  const [specific] =
    sealed === undefined ? await filterInTurns(rules, matching, (check) => isHostSpecific(check, url)) : [];
  if (specific !== undefined) {
    return { kind: 'open', url, check: specific.name, addresses };
  }
  return { kind: 'refused', shown: url.shown, check: first.name, reason: formatPrivateReason(url, first, classes) };
}

/** The checks that pass a test, with turns for others in between. */
async function filterInTurns(
  rules: DecisionRules,
  checks: readonly UrlGateCheck[],
  passes: (check: UrlGateCheck) => boolean,
): Promise<readonly UrlGateCheck[]> {
  const passing: UrlGateCheck[] = [];
  let turnEndsAtMs = rules.clock() + TURN_MS;
  for (const check of checks) {
    if (passes(check)) {
      passing.push(check);
    }
    if (rules.clock() > turnEndsAtMs) {
      await others();
      turnEndsAtMs = rules.clock() + TURN_MS;
    }
  }
  return passing;
}

async function resolveAddresses(rules: DecisionRules, url: PlainUrl): Promise<readonly ResolvedAddress[]> {
  if (url.addressFamily !== 0) {
    return [{ address: url.host, family: url.addressFamily }];
  }
  try {
    return await rules.resolve(url.host);
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      return [];
    }
    throw error;
  }
}

/** A check for this very host; spelt without backslashes, which headers cannot carry. */
function formatAllowHint({ href }: PlainUrl): string {
  const { origin } = new URL(href);
  const example = /^[\w:/.-]+$/.test(origin) ? `, such as ^${origin.replaceAll('.', '[.]')}/.*$` : '';
  return `an administrator can allow it with a check at /urlchecks${example}`;
}

function formatPrivateReason(url: PlainUrl, check: UrlGateCheck, classes: readonly AddressClass[]): string {
  const sealed = classes.find(({ kind }) => kind === 'sealed');
  const { what } = sealed ?? classes.find(({ kind }) => kind === 'inside') ?? { what: 'a private address' };
  const has = url.addressFamily === 0 ? `its host has ${what}` : `its host is ${what}`;
  return sealed === undefined
    ? `${has}, and the URL check '${check.name}' matches other hosts as well; a check that names this host alone would open it`
    : `${has}, which is closed to every URL check`;
}
