/** Reads the capabilities of WCS 2.0.1. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { readChildText } from '../http/read-xml-document.ts';
import { normalizeCrs } from './normalize-crs.ts';
import type { PublishedLayer, ServiceCapabilities } from './published-layer.ts';
import { checkRoot, listTexts, normalizeFormat, readWgs84Box } from './read-ows.ts';

export function readWcs(root: XmlElement): ServiceCapabilities {
  checkRoot(root, ['Capabilities']);
  const metadata = child(root, 'ServiceMetadata');
  const formats = listTexts(metadata, 'formatSupported').map((format) => `GetCoverage ${normalizeFormat(format)}`);
  const contents = child(root, 'Contents');
  const layers = new Map<string, PublishedLayer>();
  for (const summary of contents === undefined ? [] : listChildren(contents, 'CoverageSummary')) {
    const id = readChildText(summary, 'CoverageId');
    if (id === undefined) continue;
    const name = toLayerName(id);
    if (!layers.has(name)) layers.set(name, readSummary(summary));
  }
  return { service: 'WCS', formats: new Set(formats), crs: new Set(listSupportedCrs(metadata)), layers };
}

/** Coverage ids are XML names, which contain no colon: `topp__relief` is the layer `topp:relief`. */
function toLayerName(id: string): string {
  return id.replace('__', ':');
}

function readSummary(summary: XmlElement): PublishedLayer {
  return {
    title: readChildText(summary, 'Title') ?? '',
    styles: [],
    crs: new Set(),
    box: readWgs84Box(summary),
    formats: new Set(),
  };
}

/** The CRS extension is below an Extension element, directly or in an element of its own. */
function listSupportedCrs(metadata: XmlElement | undefined): readonly string[] {
  const extension = metadata && child(metadata, 'Extension');
  if (extension === undefined) return [];
  return [extension, ...listChildElements(extension)]
    .flatMap((element) => listTexts(element, 'crsSupported'))
    .map(normalizeCrs);
}
