/** DescribeCoverage: the extent, grid, dimensions and bands of coverages. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import type { OpenedCoverage } from '../../access/open-coverage.ts';
import { writeTextElement } from '../../ows/capabilities-parts.ts';
import { splitNameList } from '../../ows/name-lists.ts';
import { resolveAxes } from '../coverage/axes.ts';
import {
  findServedCoverage,
  formatCoverageId,
  getServedCoverage,
  openServedCoverage,
  type ServedCoverage,
  type WcsContext,
} from '../coverage/context.ts';
import { loadDescribedDimensions } from '../coverage/described-dimensions.ts';
import { namespaces, XML_HEAD } from '../coverage/documents.ts';
import {
  writeCoverageFunction,
  writeDimensionDomains,
  writeDomainSet,
  writeEnvelope,
  writeRangeType,
} from '../coverage/grid-documents.ts';
import type { DescribeCoverageRequest } from './request.ts';

export async function describeCoverage(context: WcsContext, { ids }: DescribeCoverageRequest): Promise<ServiceReply> {
  const isKnown = async (id: string) => (await findServedCoverage(context, id, 'description')) !== undefined;
  // Each coverage once, because ids are unique within a document.
  const described = new Map<string, string>();
  for (const id of await splitNameList(ids, isKnown)) {
    const served = await getServedCoverage(context, { id, field: 'coverageId' }, 'description');
    if (described.has(served.qualifiedName)) continue;
    described.set(
      served.qualifiedName,
      await writeCoverageDescription(served, await openServedCoverage(context, served)),
    );
  }
  const body = `${XML_HEAD}<wcs:CoverageDescriptions ${namespaces}>
${[...described.values()].join('')}</wcs:CoverageDescriptions>
`;
  return { contentType: 'application/xml;charset=utf-8', body };
}

async function writeCoverageDescription(served: ServedCoverage, opened: OpenedCoverage): Promise<string> {
  const id = formatCoverageId(served);
  const { title, abstract, resource } = served;
  const { grid } = opened.description;
  const axes = await resolveAxes(grid.crs);
  const dimensions = await loadDescribedDimensions(opened);
  return `<wcs:CoverageDescription gml:id="${id}">
${writeTextElement('gml:description', abstract)}<gml:name>${escapeText(title)}</gml:name>
${writeEnvelope(grid, axes, dimensions)}<wcs:CoverageId>${id}</wcs:CoverageId>
${writeCoverageFunction(axes)}${writeDimensionDomains(dimensions, id)}${writeDomainSet(grid, axes, id)}${writeRangeType(resource.bands)}<wcs:ServiceParameters><wcs:CoverageSubtype>RectifiedGridCoverage</wcs:CoverageSubtype><wcs:nativeFormat>image/tiff</wcs:nativeFormat></wcs:ServiceParameters>
</wcs:CoverageDescription>
`;
}
