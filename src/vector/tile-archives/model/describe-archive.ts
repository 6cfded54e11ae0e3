/** The text with which layers of an archive are described: its description and its attribution. */
import type { TileArchiveInfo } from './tile-archive.ts';

const entities: Readonly<Record<string, string>> = { copy: '©', amp: '&', quot: '"', nbsp: ' ' };

/** Returns undefined if the archive has neither. `layer` is the description of one of its layers. */
export function describeArchive(
  { description, attribution }: Pick<TileArchiveInfo, 'description' | 'attribution'>,
  layer = description,
): string | undefined {
  const parts = [layer, attribution && toPlainText(attribution)].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** Attributions are HTML with links. */
function toPlainText(html: string): string {
  const text = html.replaceAll(/<[^<>]*>/g, '');
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole).trim();
}
