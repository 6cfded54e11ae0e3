/** Serializes a document in its format, with links for the client. */
import type { HttpRequest } from '../context/exchange.ts';
import type { Format } from '../serialization/format.ts';
import { type Crumb, createHomeCrumb } from '../serialization/html-page.ts';
import type { ListFrame } from '../serialization/list-frame.ts';
import type { OutputDocument, OutputListing, ResourcePath, WriteContext } from '../serialization/output-tree.ts';
import { createHtmlListFrame, writeHtml } from '../serialization/write-html.ts';
import { createJsonListFrame, writeJson } from '../serialization/write-json.ts';
import { createXmlListFrame, writeXml } from '../serialization/write-xml.ts';
import type { ReplyOptions } from './reply.ts';

/** The client of a document: links depend on its request and on the application. */
export interface DocumentClient<S> {
  readonly request: HttpRequest;
  readonly app: ReplyOptions<S>;
}

function createWriteContext<S>({ request, app }: DocumentClient<S>): WriteContext {
  const { emptyJsonList, singleJsonItem, listingLinkType } = app.dialect;
  return { buildUrl: createUrlBuilder(request, app), emptyJsonList, singleJsonItem, listingLinkType };
}

export function createListFrame<S>(
  client: DocumentClient<S>,
  document: OutputDocument,
  list: OutputListing,
  format: Format,
): ListFrame {
  const context = createWriteContext(client);
  switch (format) {
    case 'xml':
      return createXmlListFrame(document.root, list, context);
    case 'json':
      return createJsonListFrame(document.json === undefined ? document.root : document.json.root, list, context);
    case 'html':
      return createHtmlListFrame(document.title, context, createPageFrame(client, context));
  }
}

export function printDocument<S>(client: DocumentClient<S>, document: OutputDocument, format: Format): string {
  const context = createWriteContext(client);
  switch (format) {
    case 'xml':
      return writeXml(document, context);
    case 'json':
      return writeJson(document, context);
    case 'html':
      return writeHtml(document, context, createPageFrame(client, context));
  }
}

export function buildRootUrl<S>(request: HttpRequest, options: ReplyOptions<S>): string {
  return `${request.context.origin?.baseUrl ?? ''}${options.restRoot}`;
}

/** Returns a function that builds absolute URLs below the REST root, with encoded segments. */
export function createUrlBuilder<S>(request: HttpRequest, options: ReplyOptions<S>): (path: ResourcePath) => string {
  const root = buildRootUrl(request, options);
  return (path) => {
    let url = root;
    for (const segment of path) {
      url += `/${/^[\w.-]*$/.test(segment) ? segment : encodeURIComponent(segment)}`;
    }
    return url;
  };
}

/** Readable paths, computed once: not every parent path is a resource. */
const patternsByFamilies = new WeakMap<object, ReadonlySet<string>>();

function listReadablePatterns<S>(options: ReplyOptions<S>): ReadonlySet<string> {
  let patterns = patternsByFamilies.get(options.families);
  if (patterns === undefined) {
    const reads = options.families.flatMap((table) => table.routes).filter((route) => route.method === 'GET');
    patterns = new Set(reads.map((route) => route.path));
    patternsByFamilies.set(options.families, patterns);
  }
  return patterns;
}

/** Returns the breadcrumbs of a page, and links to the other formats. */
function createPageFrame<S>(
  { request, app }: DocumentClient<S>,
  context: WriteContext,
): { crumbs: readonly Crumb[]; alternates: readonly Crumb[] } {
  const match = request.context.match;
  const pattern = (match?.resource.pattern ?? '').slice(app.restRoot.length);
  const segments = pattern.split('/').filter((segment) => segment !== '');
  const path = segments.map((segment) => (segment.startsWith(':') ? (match?.params[segment.slice(1)] ?? '') : segment));
  const pages = listReadablePatterns(app);
  const crumbs = path.map((segment, index): Crumb => {
    const isPage = pages.has(`/${segments.slice(0, index + 1).join('/')}`);
    return { label: segment, ...(isPage ? { url: `${context.buildUrl(path.slice(0, index + 1))}.html` } : {}) };
  });
  const here = context.buildUrl(path);
  const others = (match?.resource.formats ?? []).filter((format) => format !== 'html');
  return {
    crumbs: [createHomeCrumb(`${context.buildUrl([])}.html`), ...crumbs],
    alternates: others.map((format) => ({ label: format.toUpperCase(), url: `${here}.${format}` })),
  };
}
