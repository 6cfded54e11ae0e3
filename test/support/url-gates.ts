/** A URL gate with the given checks and host names. */
import type { Readable } from 'node:stream';
import { createUrlGate, type UrlGate, type UrlGateOptions } from '../../src/gates/url-gate.ts';
import { compileLinearRegex } from '../../src/lib/linear-regex/linear-regex.ts';
import { limits } from '../../src/server/settings/limits.ts';

export interface TestGateOptions extends Partial<Omit<UrlGateOptions, 'checks' | 'resolve' | 'limits'>> {
  /** Regular expressions by check name. */
  readonly checks?: Readonly<Record<string, string>>;
  /** Addresses by host name; a list of lists is returned one per lookup, repeating the last one. */
  readonly names?: Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>;
  readonly limits?: Partial<UrlGateOptions['limits']>;
}

export interface TestGate extends UrlGate {
  /** The names that were looked up. */
  readonly lookedUp: readonly string[];
}

export function testGate(options: TestGateOptions = {}): TestGate {
  const lookedUp: string[] = [];
  const checks = Object.entries(options.checks ?? {}).map(([name, regex]) => ({
    name,
    ...compileLinearRegex(regex, { what: 'The regex', field: 'regex' }),
  }));
  const gate = createUrlGate({
    allowPrivateAddresses: false,
    clock: () => performance.now(),
    deadline: (ms) => AbortSignal.timeout(ms),
    ...options,
    checks: async () => checks,
    resolve: async (host) => {
      const times = lookedUp.filter((each) => each === host).length;
      lookedUp.push(host);
      const answers = options.names?.[host];
      if (answers === undefined) {
        throw Object.assign(new Error(`No such host: ${host}`), { code: 'ENOTFOUND' });
      }
      const answer = answers[Math.min(times, answers.length - 1)];
      const addresses = typeof answer === 'string' ? (answers as readonly string[]) : (answer ?? []);
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    limits: { ...limits.url, ...options.limits },
  });
  return { ...gate, lookedUp };
}

export async function readStreamText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
