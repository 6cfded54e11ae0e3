/** The key of a client; queues are shared fairly between clients. */
import { isIP } from 'node:net';
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';

/** Returns a key of the address and the user: several users can share an address. */
export function buildClientKey(address: string, principal: Principal | undefined): string {
  const network = toNetwork(address);
  if (principal === undefined || isAnonymous(principal)) return network;
  const { account, name } = principal;
  const source = account?.kind === 'user' ? account.id : account?.kind === 'directory' ? account.provider : '';
  return `${network} ${name} ${source}`;
}

/** An IPv6 client usually owns a whole /64 network. */
function toNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [front = '', back] = address.split('%')[0]?.split('::') ?? [];
  const splitGroups = (text: string | undefined) => (text ? text.split(':') : []);
  const [left, right] = [splitGroups(front), splitGroups(back)];
  const missing = back === undefined ? 0 : 8 - left.length - right.length;
  const all = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
