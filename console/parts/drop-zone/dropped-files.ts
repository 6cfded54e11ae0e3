/** The files that the user has dropped or chosen last; the page that publishes them reads them. */
import { signal } from '@preact/signals';

export const droppedFiles = signal<readonly File[]>([]);

/** The paths of files in dropped folders, which the files themselves do not know. */
const paths = new WeakMap<File, string>();

/** Returns the path in the dropped or chosen folder, or the name. */
export function getFilePath(file: File): string {
  return paths.get(file) ?? (file.webkitRelativePath || file.name);
}

/** Returns the files of a drop, including those in folders. */
export async function readDrop({ items, files }: DataTransfer): Promise<readonly File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  // Entries are readable only until the event has been handled, so all of them are taken first.
  if (entries.some((entry) => entry?.isDirectory)) {
    const found = await Promise.all(entries.map((entry) => (entry === null ? [] : readEntry(entry))));
    return found.flat();
  }
  return [...files];
}

async function readEntry(entry: FileSystemEntry): Promise<readonly File[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    paths.set(file, entry.fullPath.replace(/^\//, ''));
    return [file];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: File[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await readEntry(each)));
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
