/** Opens the files of an export: documents in memory, and stored files in the archive of the server. */
import type { FileContent, Leaving } from '../translate/leaving.ts';

/** Removes stored files that the archive lacks, and reports them. */
export function dropMissingFiles({ files, configuration, report }: Leaving): void {
  for (const [path, content] of files) {
    if (!('sha256' in content) || configuration.hasFile(content.sha256)) continue;
    files.delete(path);
    report.add('file-missing', { kind: 'file', path: `/${path}` }, 'The server has lost the content of the file.', {
      path,
      remedy: 'Copy the file from a backup.',
    });
  }
}

export async function openContent(
  { configuration }: Leaving,
  content: FileContent,
): Promise<AsyncIterable<Uint8Array>> {
  if ('bytes' in content) return streamBytes(content.bytes);
  return configuration.openFile(content.sha256);
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
