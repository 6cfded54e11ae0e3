/** Formats features as HTML: one table per layer, which other pages can embed. */
import { type Html, html, text } from '../../../http/serialization/html-page.ts';
import type { FoundOnLayer } from '../../maps/draw-published.ts';
import { formatInfoValue } from './features-as-text.ts';

export function formatFeaturesAsHtml(found: readonly FoundOnLayer[]): string {
  const tables = found.filter(({ features }) => features.length > 0).map(writeTable);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Features of a map</title></head>
<body>
${tables.length === 0 ? html`<p>no features were found</p>` : tables}
</body>
</html>
`;
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
