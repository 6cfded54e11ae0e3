/** A document -> the text of its format, with links for whoever asks. */
import type { Asked } from './exchange.ts';
import type { Format } from './formats/format.ts';
import { type Crumb, homeCrumb } from './formats/html-page.ts';
import type { ListFrame } from './formats/list-frame.ts';
import type { OutputDocument, OutputListing, ResourcePath, WriteContext } from './formats/output-tree.ts';
import { htmlFrom, htmlListFrame } from './formats/write-html.ts';
import { jsonFrom, jsonListFrame } from './formats/write-json.ts';
import { xmlFrom, xmlListFrame } from './formats/write-xml.ts';
import type { ReplyOptions } from './reply-headers.ts';
import { splitUrl } from './target.ts';

function writeContext<S>(request: Asked, options: ReplyOptions<S>): WriteContext {
  const { emptyJsonList, singleJsonItem, listingLinkType } = options.dialect;
  return { urlOf: urlOf(request, options), emptyJsonList, singleJsonItem, listingLinkType };
}

export function listFrame<S>(
  document: OutputDocument,
  list: OutputListing,
  format: Format,
  request: Asked,
  options: ReplyOptions<S>,
): ListFrame {
  const context = writeContext(request, options);
  switch (format) {
    case 'xml':
      return xmlListFrame(document.root, list, context);
    case 'json':
      return jsonListFrame(document.json === undefined ? document.root : document.json.root, list, context);
    case 'html':
      return htmlListFrame(document.title, context, pageFrame(request, options, context));
  }
}

export function print<S>(document: OutputDocument, format: Format, request: Asked, options: ReplyOptions<S>): string {
  const context = writeContext(request, options);
  switch (format) {
    case 'xml':
      return xmlFrom(document, context);
    case 'json':
      return jsonFrom(document, context);
    case 'html':
      return htmlFrom(document, context, pageFrame(request, options, context));
  }
}

export function rootUrl<S>(request: Asked, options: ReplyOptions<S>): string {
  return `${request.trail.origin?.baseUrl ?? ''}${options.restRoot}`;
}

/** The absolute URL of a resource below the REST root, every segment encoded. */
export function urlOf<S>(request: Asked, options: ReplyOptions<S>): (path: ResourcePath) => string {
  const root = rootUrl(request, options);
  return (path) => {
    let url = root;
    for (const segment of path) {
      url += `/${/^[\w.-]*$/.test(segment) ? segment : encodeURIComponent(segment)}`;
    }
    return url;
  };
}

/** The URL of the same request with some of its parameters set otherwise. */
export function urlWith(parameters: Readonly<Record<string, string>>, request: Asked): string {
  const [path, query] = splitUrl(request.originalUrl);
  const wanted = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) wanted.set(name, value);
  return `${request.trail.origin?.baseUrl ?? ''}${path}?${wanted}`;
}

/** The paths that can be read, worked out once: not every step up is a place of its own. */
const knownPatterns = new WeakMap<object, ReadonlySet<string>>();

function readablePatterns<S>(options: ReplyOptions<S>): ReadonlySet<string> {
  let patterns = knownPatterns.get(options.families);
  if (patterns === undefined) {
    const reads = options.families.flatMap((table) => table.routes).filter((route) => route.method === 'GET');
    patterns = new Set(reads.map((route) => route.path));
    knownPatterns.set(options.families, patterns);
  }
  return patterns;
}

/** The way up from this page, and the same resource in the formats for programs. */
function pageFrame<S>(
  request: Asked,
  options: ReplyOptions<S>,
  context: WriteContext,
): { crumbs: readonly Crumb[]; alternates: readonly Crumb[] } {
  const match = request.trail.match;
  const pattern = (match?.resource.pattern ?? '').slice(options.restRoot.length);
  const segments = pattern.split('/').filter((segment) => segment !== '');
  const path = segments.map((segment) => (segment.startsWith(':') ? (match?.params[segment.slice(1)] ?? '') : segment));
  const pages = readablePatterns(options);
  const crumbs = path.map((segment, index): Crumb => {
    const isPage = pages.has(`/${segments.slice(0, index + 1).join('/')}`);
    return { label: segment, ...(isPage ? { url: `${context.urlOf(path.slice(0, index + 1))}.html` } : {}) };
  });
  const here = context.urlOf(path);
  const others = (match?.resource.formats ?? []).filter((format) => format !== 'html');
  return {
    crumbs: [homeCrumb(`${context.urlOf([])}.html`), ...crumbs],
    alternates: others.map((format) => ({ label: format.toUpperCase(), url: `${here}.${format}` })),
  };
}
