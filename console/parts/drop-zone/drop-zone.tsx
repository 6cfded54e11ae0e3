/** Files by drop anywhere in the window, or by buttons for files and for a folder. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';
import { Icon } from '../icon/icon.tsx';
import { readDrop } from './dropped-files.ts';

type OnFiles = (files: readonly File[]) => void;

/** Covers the window while files are dragged over it. */
export function WindowDrop({ onFiles }: { readonly onFiles: OnFiles }) {
  const isOver = useSignal(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const leave = (event: DragEvent) => {
      // Leaving an element inside the window names the next one.
      if (event.relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      isOver.value = false;
      void readDrop(event.dataTransfer).then(onFiles);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, [onFiles]);
  if (!isOver.value) return null;
  return (
    <div class="drop-cover" aria-hidden="true">
      <div class="drop-cover-card">
        <Icon name="upload" size={40} />
        <p>{t().publish.dropHere}</p>
      </div>
    </div>
  );
}

interface DropZoneProps {
  readonly onFiles: OnFiles;
  /** The extensions that the dialog offers, such as `.shp`. */
  readonly accept: readonly string[];
}

/** A place that says what can be dropped, with the same by mouse and keyboard. */
export function DropZone({ onFiles, accept }: DropZoneProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const { publish: words } = t();
  const take = (input: HTMLInputElement) => {
    onFiles([...(input.files ?? [])]);
    // The same files can be chosen again.
    input.value = '';
  };
  return (
    <div class="drop-zone">
      <Icon name="upload" size={36} />
      <p class="drop-zone-title">{words.dropTitle}</p>
      <p class="muted">{words.dropHint}</p>
      <div class="drop-zone-buttons">
        <Button kind="primary" onClick={() => files.current?.click()}>
          {words.chooseFiles}
        </Button>
        <Button onClick={() => folder.current?.click()}>{words.chooseFolder}</Button>
      </div>
      <input
        ref={files}
        type="file"
        class="drop-zone-input"
        data-kind="files"
        multiple
        accept={accept.join(',')}
        tabIndex={-1}
        aria-label={words.chooseFiles}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={(element) => {
          folder.current = element;
          element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        class="drop-zone-input"
        data-kind="folder"
        tabIndex={-1}
        aria-label={words.chooseFolder}
        onChange={(event) => take(event.currentTarget)}
      />
    </div>
  );
}
