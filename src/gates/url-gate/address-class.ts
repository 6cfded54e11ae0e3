/** Classifies network addresses as public, internal or forbidden. */
import { BlockList, isIP } from 'node:net';

/**
 * - outside: the internet.
 * - inside: this machine and private networks, for checks that name the host.
 * - sealed: addresses that never serve public content, such as cloud metadata; only the operator can allow them.
 */
export type AddressKind = 'outside' | 'inside' | 'sealed';

export interface AddressClass {
  readonly kind: AddressKind;
  /** For messages: `a private address`. */
  readonly what: string;
}

type Range = readonly [network: string, prefix: number, kind: AddressKind, what: string];

// The first match decides, so single addresses precede their networks.
const ranges4: readonly Range[] = [
  ['100.100.100.200', 32, 'sealed', 'a metadata address'],
  ['168.63.129.16', 32, 'sealed', 'a metadata address'],
  ['192.0.0.192', 32, 'sealed', 'a metadata address'],
  ['0.0.0.0', 8, 'sealed', 'an unspecified address'],
  ['169.254.0.0', 16, 'sealed', 'a link-local address'],
  ['224.0.0.0', 4, 'sealed', 'a multicast address'],
  ['240.0.0.0', 4, 'sealed', 'a reserved address'],
  ['127.0.0.0', 8, 'inside', 'a loopback address'],
  ['10.0.0.0', 8, 'inside', 'a private address'],
  ['172.16.0.0', 12, 'inside', 'a private address'],
  ['192.168.0.0', 16, 'inside', 'a private address'],
  ['100.64.0.0', 10, 'inside', 'a shared private address'],
  ['192.0.0.0', 24, 'inside', 'a special-purpose address'],
  ['192.0.2.0', 24, 'inside', 'a documentation address'],
  ['192.88.99.0', 24, 'inside', 'a special-purpose address'],
  ['198.18.0.0', 15, 'inside', 'a benchmark address'],
  ['198.51.100.0', 24, 'inside', 'a documentation address'],
  ['203.0.113.0', 24, 'inside', 'a documentation address'],
];

const ranges6: readonly Range[] = [
  ['fd00:ec2::254', 128, 'sealed', 'a metadata address'],
  ['fd20:ce::254', 128, 'sealed', 'a metadata address'],
  ['::', 128, 'sealed', 'an unspecified address'],
  ['::1', 128, 'inside', 'a loopback address'],
  ['fe80::', 10, 'sealed', 'a link-local address'],
  ['ff00::', 8, 'sealed', 'a multicast address'],
  // Each network embeds the IPv4 address at a position of its choice, so that it cannot be extracted.
  ['64:ff9b:1::', 48, 'sealed', 'a translated address of this network'],
  ['fc00::', 7, 'inside', 'a private address'],
  ['fec0::', 10, 'inside', 'a private address'],
  ['2001:db8::', 32, 'inside', 'a documentation address'],
  ['3fff::', 20, 'inside', 'a documentation address'],
  ['2001::', 23, 'inside', 'a special-purpose address'],
  ['2000::', 3, 'outside', 'a public address'],
];

/** IPv6 networks that embed an IPv4 address, and the index of the 16-bit group where it starts. */
const carriers: readonly (readonly [network: string, prefix: number, group: number])[] = [
  ['::ffff:0:0', 96, 6],
  ['::ffff:0:0:0', 96, 6],
  ['64:ff9b::', 96, 6],
  ['2002::', 16, 1],
];

const publicAddress: AddressClass = { kind: 'outside', what: 'a public address' };
const unknownAddress: AddressClass = { kind: 'sealed', what: 'an unclassified address' };

const classes4 = ranges4.map((range) => compileRange(range, 'ipv4'));
const classes6 = ranges6.map((range) => compileRange(range, 'ipv6'));
const carrierLists = carriers.map(([network, prefix, group]) => ({
  list: createBlockList(network, prefix, 'ipv6'),
  group,
}));

export function classifyAddress(address: string): AddressClass {
  switch (isIP(address)) {
    case 4:
      return classes4.find(({ list }) => list.check(address, 'ipv4'))?.is ?? publicAddress;
    case 6:
      return classify6(address);
    default:
      return unknownAddress;
  }
}

function classify6(address: string): AddressClass {
  // A zone (`fe80::1%eth0`) is a link of this machine.
  if (address.includes('%')) {
    return { kind: 'sealed', what: 'a link-local address' };
  }
  const special = classes6.find(({ list, is }) => is.kind !== 'outside' && list.check(address, 'ipv6'));
  if (special !== undefined) {
    return special.is;
  }
  const carrier = carrierLists.find(({ list }) => list.check(address, 'ipv6'));
  if (carrier !== undefined) {
    return classifyAddress(readCarriedIpv4(address, carrier.group));
  }
  return classes6.find(({ list }) => list.check(address, 'ipv6'))?.is ?? unknownAddress;
}

/** Returns the IPv4 address in two groups of an IPv6 address. */
function readCarriedIpv4(address: string, group: number): string {
  const groups = splitGroups(address);
  return [groups[group] ?? 0, groups[group + 1] ?? 0].map((bits) => `${bits >> 8}.${bits & 255}`).join('.');
}

function splitGroups(address: string): readonly number[] {
  // The URL parser normalizes every notation, including dotted endings.
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((each) => Number.parseInt(each, 16));
}

function compileRange([network, prefix, kind, what]: Range, family: 'ipv4' | 'ipv6') {
  return { list: createBlockList(network, prefix, family), is: { kind, what } };
}

function createBlockList(network: string, prefix: number, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list;
}
