/** Decides whether a URL may be opened, by which check, and at which addresses. */
import { setImmediate as others } from 'node:timers/promises';
import { type AddressClass, classifyAddress } from './address-class.ts';
import { type PlainUrl, readPlainUrl } from './plain-url.ts';
import type { ResolvedAddress, ResolveHost } from './resolver.ts';
import { isHostSpecific, type UrlGateCheck } from './specific-host.ts';

export type UrlDecision =
  | {
      readonly kind: 'open';
      readonly url: PlainUrl;
      /** The check that allows it. */
      readonly check: string;
      /** The addresses to connect to; resolved once, because a second look-up could return others. */
      readonly addresses: readonly ResolvedAddress[];
    }
  /** A check allows it, but its host has no address. */
  | { readonly kind: 'unresolved'; readonly url: PlainUrl; readonly check: string }
  | {
      readonly kind: 'refused';
      /** The URL without secrets. */
      readonly shown: string;
      readonly reason: string;
      /** Whether no URL check could ever allow it. */
      readonly isInvalid?: true;
      /** The check that matched, if the URL is rejected for another reason. */
      readonly check?: string;
    };

export interface DecisionRules {
  readonly checks: () => Promise<readonly UrlGateCheck[]>;
  readonly resolve: ResolveHost;
  readonly allowPrivateAddresses: boolean;
  readonly maxLength: number;
  readonly clock: () => number;
}

/** How long matching may take before other requests run. */
const TURN_MS = 10;

export async function decideUrl(rules: DecisionRules, text: string): Promise<UrlDecision> {
  const read = readPlainUrl(text, rules.maxLength);
  if ('objection' in read) {
    return { kind: 'refused', shown: read.shown, reason: read.objection, isInvalid: true };
  }
  const { url } = read;
  const matching = await filterInTurns(rules, await rules.checks(), (check) => check.matches(url.href));
  const [first] = matching;
  if (first === undefined) {
    return { kind: 'refused', shown: url.shown, reason: `no enabled URL check matches it; ${formatAllowHint(url)}` };
  }

  // Only a URL that a check matches is looked up, so that clients learn nothing about internal names.
  const addresses = await resolveAddresses(rules, url);
  if (addresses.length === 0) {
    return { kind: 'unresolved', url, check: first.name };
  }
  const classes = addresses.map(({ address }) => classifyAddress(address));
  if (rules.allowPrivateAddresses || classes.every(({ kind }) => kind === 'outside')) {
    return { kind: 'open', url, check: first.name, addresses };
  }
  // One internal address decides, because the connection could use any of them.
  const sealed = classes.find(({ kind }) => kind === 'sealed');
  const [specific] =
    sealed === undefined ? await filterInTurns(rules, matching, (check) => isHostSpecific(check, url)) : [];
  if (specific !== undefined) {
    return { kind: 'open', url, check: specific.name, addresses };
  }
  return { kind: 'refused', shown: url.shown, check: first.name, reason: formatPrivateReason(url, first, classes) };
}

/** Returns the name of the first check that matches a text. No check matches a text that is too long for a URL. */
export async function findMatchingCheck(rules: DecisionRules, text: string): Promise<string | undefined> {
  if (text.length > rules.maxLength) return undefined;
  const [first] = await filterInTurns(rules, await rules.checks(), (check) => check.matches(text));
  return first?.name;
}

/** Returns the checks that pass, and yields to other work in between. */
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

/** Suggests a check for this host, without backslashes, which headers cannot contain. */
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
    ? `${has}, and the URL check '${check.name}' also matches other hosts; use a check that matches only this host`
    : `${has}, which no URL check can open`;
}
