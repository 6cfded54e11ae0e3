/** Validates the URL of raster data on another server. */
import type { UrlGate } from '../../gates/url-gate.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { RasterDriver } from '../../raster/port/driver.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import { findTypeByExtension, getRasterDriverByType } from './raster-drivers.ts';
import type { RasterSourceSettings } from './raster-sources.ts';

/** Like a path, a URL that the server may not open is rejected; each request is checked again when it is sent. */
export async function acceptRemoteSource(
  { drivers, urlGate }: { readonly drivers: readonly RasterDriver[]; readonly urlGate: Pick<UrlGate, 'check'> },
  sentType: string | undefined,
  url: string,
): Promise<RasterSourceSettings> {
  const readers = drivers.filter(({ openRemote }) => openRemote !== undefined);
  const remote = readers.map(({ type }) => type);
  const derived = findTypeByExtension(readers, URL.parse(parseRemoteUrl(url) ?? url)?.pathname ?? '');
  const { type } = getRasterDriverByType(drivers, sentType ?? (derived === '' ? (remote[0] ?? '') : derived));
  if (!remote.includes(type)) {
    throw problem('raster-type-not-remote', { type, types: remote, field: 'coverageStore.type' });
  }
  const decision = await urlGate.check(parseRemoteUrl(url) ?? url);
  if (decision.kind === 'refused') {
    throw problem('url-refused', { url: decision.shown, reason: decision.reason });
  }
  return { type, url };
}
