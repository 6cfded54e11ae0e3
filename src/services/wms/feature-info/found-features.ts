/** Encodes the features of GetFeatureInfo in the requested format. */
import { outputFormats } from '../../../formats/formats.ts';
import type { FeatureCollection, FeatureSet } from '../../../formats/port/port.ts';
import { type Html, html, text } from '../../../http/serialization/html-page.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { Feature } from '../../../vector/port/port.ts';
import type { FoundOnLayer } from '../../maps/draw-published.ts';
import { resolveWrittenCrs } from '../../wfs/request/crs-names.ts';
import { formatSchemaUrl } from '../../wfs/schema/describe-feature-type.ts';
import type { WmsContext } from '../context/context.ts';
import type { InfoFormat } from '../context/info-formats.ts';
import type { MapFrame } from '../map/map-frame.ts';
import { formatFeaturesAsText, formatInfoValue } from './features-as-text.ts';
import {
  applyInfoTemplates,
  htmlTemplates,
  jsonTemplates,
  type TemplateContext,
  type TemplatedInfo,
} from './info-templates.ts';

export interface InfoContext extends Pick<WmsContext, 'publication' | 'root' | 'now'>, TemplateContext {}

export async function encodeFoundFeatures(
  context: InfoContext,
  found: readonly FoundOnLayer[],
  frame: Pick<MapFrame, 'system'>,
  { encoding }: InfoFormat,
): Promise<ServiceReply['body']> {
  switch (encoding) {
    case 'text':
      return formatFeaturesAsText(found);
    case 'html':
      return formatFeaturesAsHtml(found, await applyInfoTemplates(context, found, htmlTemplates, 'html'));
    case 'json':
      return (
        (await formatFeaturesAsJson(context, found)) ?? encodeFoundCollection(context, found, frame, 'wfs-geojson')
      );
    case 'gml2':
    case 'gml31':
      return encodeFoundCollection(context, found, frame, encoding);
  }
}

/** x before y, as in maps. */
async function encodeFoundCollection(
  { publication, root, now, signal }: InfoContext,
  found: readonly FoundOnLayer[],
  frame: Pick<MapFrame, 'system'>,
  name: 'wfs-geojson' | 'gml2' | 'gml31',
): Promise<AsyncIterable<Uint8Array>> {
  const crs = await resolveWrittenCrs('1.0.0', frame.system.code, frame.system);
  const sets = found.map(
    ({ layer, description, features }): FeatureSet => ({
      typeName: { prefix: layer.workspace.name, uri: layer.workspace.uri, local: layer.name },
      description,
      crs,
      numberReturned: features.length,
      batches: toOneBatch(features),
    }),
  );
  const collection: FeatureCollection = {
    sets,
    timeStamp: now(),
    links: () => [],
    schemaLocations: found.flatMap(({ layer: { type } }) =>
      type === undefined
        ? []
        : [
            {
              uri: type.namespace,
              location: formatSchemaUrl(`${root}/wfs`, name === 'gml2' ? '1.0.0' : '1.1.0', [type]),
            },
          ],
    ),
    options: { decimals: publication.decimals },
  };
  const encoder = await outputFormats[name].load();
  return encoder.encode(collection, signal);
}

async function* toOneBatch(features: readonly Feature[]): AsyncIterable<readonly Feature[]> {
  if (features.length > 0) yield features;
}

/** Returns undefined unless every layer with features has a template. A comma separates the layers. */
async function formatFeaturesAsJson(context: InfoContext, found: readonly FoundOnLayer[]): Promise<string | undefined> {
  const info = await applyInfoTemplates(context, found, jsonTemplates, 'json');
  const texts = (info?.contents ?? []).flatMap(({ text: content }) => content ?? []);
  if (info === undefined || texts.length < info.contents.length) return undefined;
  const json = `${info.header ?? '{"type":"FeatureCollection","features":['}${texts.join(',')}${info.footer ?? ']}'}`;
  if (!(await context.services.styles.templates.isJson(json, context.signal))) {
    const names = info.templateNames.map((name) => `'${name}'`).join(', ');
    context.warn(`The response is not valid JSON. Correct the templates: ${names}.`);
  }
  return json;
}

const HEADER = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Features of a map</title></head>
<body>
`;
const FOOTER = `
</body>
</html>
`;

/** Formats features as HTML: by templates, or as one table per layer, which other pages can embed. */
function formatFeaturesAsHtml(found: readonly FoundOnLayer[], info: TemplatedInfo | undefined): string {
  const shown = found.filter(({ features }) => features.length > 0);
  const contents = info?.contents.map(({ found: each, text: content }) => content ?? writeTable(each));
  const tables = shown.length === 0 ? html`<p>no features were found</p>` : shown.map(writeTable).join('');
  return `${info?.header ?? HEADER}${contents?.join('') ?? tables}${info?.footer ?? FOOTER}`;
}

function writeTable({ layer, description, features }: FoundOnLayer): Html {
  const attributes = description.attributes.flatMap((attribute, place) =>
    attribute.kind === 'value' ? [{ attribute, place }] : [],
  );
  const heads = attributes.map(({ attribute }) => html`<th>${text(attribute.name)}</th>`);
  const rows = features.map(({ id, values }) => {
    const cells = attributes.map(
      ({ attribute, place }) => html`<td>${text(formatInfoValue(values[place] ?? null, attribute))}</td>`,
    );
    return html`<tr><td>${text(id)}</td>${cells}</tr>`;
  });
  return html`<table class="featureInfo"><caption class="featureInfo">${text(layer.name)}</caption><thead><tr><th>fid</th>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
}
