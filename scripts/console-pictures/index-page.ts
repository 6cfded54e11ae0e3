/** Writes the page that shows all pictures. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getFileName, listVariants, type Picture, pictures } from './pictures.ts';

export const INDEX_FILE = 'README.md';

const head = `# Pictures of the console

Every page of the [console](../../console/README.md), from a server with fixed content. The main pages are shown in both
themes, on a desktop and on a phone, and in German. Take the pictures again after a change of the look, and compare them in the review:

\`\`\`
node_modules/.bin/node scripts/console-pictures/take-pictures.ts
\`\`\`

Names of pages take single pictures, \`--output DIR\` writes elsewhere, and \`--all\` takes all pages in all
variants. A new page of the console needs a row in \`scripts/console-pictures/pictures.ts\`.
`;

export function formatIndex(): string {
  return `${head}${pictures.map(formatPicture).join('')}`;
}

function formatPicture(picture: Picture): string {
  const images = listVariants(picture).map((variant) => {
    const { theme, size, language } = variant;
    const width = size === 'wide' ? 480 : 180;
    return `<img src="${getFileName(picture, variant)}" alt="${picture.name}, ${theme}, ${size}${language === 'de' ? ', German' : ''}" width="${width}">`;
  });
  return `\n## ${picture.name}\n\n\`console/${picture.address}\`\n\n${images.join('\n')}\n`;
}

export async function writeIndex(folder: string): Promise<void> {
  await writeFile(join(folder, INDEX_FILE), formatIndex());
}
