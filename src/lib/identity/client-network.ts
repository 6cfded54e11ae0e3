/** Finds the network of a client, between which limits and queues are shared. */
import { isIP } from 'node:net';

/** An IPv6 client usually owns a whole /64 network, so counting single addresses would be ineffective. */
export function toClientNetwork(address: string): string {
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
