/** The layout of OGC API Features pages: breadcrumbs, alternate formats and an optional map. */
import type { Bounds } from '../../../../crs/bounds.ts';
import {
  type Crumb,
  contentSecurityPolicy,
  createHomeCrumb,
  type Html,
  html,
  page,
  text,
} from '../../../../http/serialization/html-page.ts';
import type { ServiceReply } from '../../../../http/session/service-reply.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import type { FeaturesContext } from '../collections/features-context.ts';

/** Pages with a map run a script of this server, which requests features from it; other origins are blocked. */
const policyWithMap = contentSecurityPolicy
  .replace("style-src '", "style-src 'self' '")
  .replace("img-src 'self'", "img-src 'self' data:")
  .concat("; script-src 'self'; connect-src 'self'");

export function createPageReply(body: string): ServiceReply {
  return { contentType: 'text/html; charset=utf-8', body };
}

export function withMapPolicy(reply: ServiceReply): ServiceReply {
  return { ...reply, headers: { ...reply.headers, 'content-security-policy': policyWithMap } };
}

export interface PageContent {
  readonly title: string;
  /** Below the landing page. */
  readonly crumbs: readonly Crumb[];
  /** The same resource in other formats. */
  readonly alternates: readonly Crumb[];
  readonly content: Html;
}

export function writeFeaturesPage(
  visit: Pick<FeaturesContext, 'root' | 'home'>,
  { title, crumbs, alternates, content }: PageContent,
): string {
  const steps = [createHomeCrumb(visit.home), { label: 'Features', url: `${visit.root}?f=html` }, ...crumbs];
  return page({ title, crumbs: steps, alternates }, content);
}

/**
 * Writes a map of the features at an address, for browsers with scripts; the table works without them. Without bounds
 * the map shows the extent of these features.
 */
export function writeMap(
  { assets }: Pick<FeaturesContext, 'assets'>,
  { geometry }: PublishedType,
  features: string,
  bounds: Bounds | null = null,
): Html {
  if (geometry === undefined) {
    return html``;
  }
  return html`<link rel="stylesheet" href="${text(`${assets}/map.css`)}">
<div id="map" data-features="${text(features)}" data-box="${text(bounds === null ? '' : [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY].join(','))}" role="img" aria-label="A map of the features below"></div>
<script src="${text(`${assets}/ol.js`)}" defer></script>
<script src="${text(`${assets}/map.js`)}" defer></script>`;
}

export function writeAnchor(href: string, label: string): Html {
  return html`<a href="${text(href)}">${text(label)}</a>`;
}
