/** What a pasted text refers to: an address of this server, or a coordinate reference system. */
import { consoleRoot, restRoot, serverRoot } from '../../rest/client.ts';
import { decodeSegment } from '../match-route.ts';
import { findAddress } from '../resource-address.ts';

/** Returns an address of the console for a URL of this server; undefined for other texts. */
export function readAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const own = findBelow(url, consoleRoot.pathname)?.replace(/^\/+/, '');
  if (own !== undefined) return isBelowRoot(own) ? `${own}${url.search}` : undefined;
  const resource = findBelow(url, new URL(restRoot).pathname);
  if (resource !== undefined) return findAddress(resource.replace(/\.(?:json|xml|html)$/, ''));
  return findBelow(url, serverRoot.pathname) === undefined ? undefined : readLayer(url);
}

/** The host may be another one: people paste addresses from outside a proxy. */
function findBelow({ pathname }: URL, root: string): string | undefined {
  return pathname.startsWith(root) ? pathname.slice(root.length) : undefined;
}

/** A path that begins with a scheme would be another address. */
function isBelowRoot(path: string): boolean {
  return URL.canParse(path, consoleRoot) && new URL(path, consoleRoot).href.startsWith(consoleRoot.href);
}

/** The first layer of a request of a map or feature service. */
function readLayer(url: URL): string | undefined {
  const query = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const names = ['layers', 'layer', 'typenames', 'typename', 'coverageid'].flatMap((name) => query.get(name) ?? []);
  const inPath = /\/collections\/([^/]+)/.exec(url.pathname)?.[1];
  const [first = ''] = (names[0] ?? decodeSegment(inPath ?? '')).replace('__', ':').split(',');
  const [workspace = '', layer = ''] = first.split(':');
  return workspace === '' || layer === '' ? undefined : findAddress(toLayerPath(workspace, layer));
}

function toLayerPath(workspace: string, layer: string): string {
  return `/workspaces/${encodeURIComponent(workspace)}/layers/${encodeURIComponent(layer)}`;
}

/** Returns the code of a CRS, as `EPSG:25832`, a URN or a URL of the OGC name it. */
export function readCrsCode(text: string): string | undefined {
  const match =
    /^(?:epsg:{1,2}|urn:ogc:def:crs:epsg:[\w.]*:|https?:\/\/www\.opengis\.net\/def\/crs\/epsg\/[\w.]+\/)\s*(\d{4,6})$/i.exec(
      text.trim(),
    );
  return match === null ? undefined : `EPSG:${match[1]}`;
}
