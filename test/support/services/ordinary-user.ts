/** Finds the account for servers when the tests run as root, because servers should not run as root. */
import { readFileSync } from 'node:fs';

export interface OrdinaryUser {
  readonly uid: number;
  readonly gid: number;
}

/** The first of these accounts that exists; undefined when the tests run as an ordinary user. */
export function ordinaryUser(names: readonly string[]): OrdinaryUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = names.flatMap((name) => accounts.filter(([known]) => known === name))[0];
  if (account === undefined) throw new Error(`no account to run a server as: none of ${names.join(', ')} exists`);
  return { uid: Number(account[2]), gid: Number(account[3]) };
}
