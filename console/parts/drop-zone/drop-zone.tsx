/** Files by drop anywhere in the window or on a place, or by buttons for files and for a folder. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';
import { Icon } from '../icon/icon.tsx';
import { showToast } from '../toast/toast.tsx';
import { readDrop } from './dropped-files.ts';

type OnFiles = (files: readonly File[]) => void;

/** Places that take drops themselves. */
const OWN = '[data-takes=one]';

function isOnOwnPlace({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest(OWN) !== null;
}

/** Files that were deleted or are not readable are reported. */
function takeDrop(transfer: DataTransfer, onFiles: OnFiles): void {
  readDrop(transfer).then(onFiles, () => showToast(t().publish.dropUnreadable));
}

/** Covers the window while files are dragged over it, except for places that take them themselves. */
export function WindowDrop({ onFiles }: { readonly onFiles: OnFiles }) {
  const isOver = useSignal(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isOver.value = !isOnOwnPlace(event);
    };
    const leave = (event: DragEvent) => {
      // Leaving an element inside the window names the next one.
      if (event.relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent) => {
      isOver.value = false;
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      if (!isOnOwnPlace(event)) takeDrop(event.dataTransfer, onFiles);
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
  /** For one file of the page, instead of files that are published wherever they are dropped. */
  readonly single?: { readonly title: string; readonly hint: string };
}

/** A place that says what can be dropped, with the same by mouse and keyboard. */
export function DropZone({ onFiles, accept, single }: DropZoneProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const isOver = useSignal(false);
  const { publish: words } = t();
  const chooseLabel = single === undefined ? words.chooseFiles : words.chooseFile;
  const take = (input: HTMLInputElement) => {
    onFiles([...(input.files ?? [])]);
    // The same files can be chosen again.
    input.value = '';
  };
  const own = {
    'data-takes': 'one',
    'data-over': isOver.value || undefined,
    onDragOver: () => {
      isOver.value = true;
    },
    onDragLeave: () => {
      isOver.value = false;
    },
    onDrop: ({ dataTransfer }: DragEvent) => {
      isOver.value = false;
      if (dataTransfer !== null) takeDrop(dataTransfer, (found) => onFiles(found.slice(0, 1)));
    },
  };
  return (
    <div class="drop-zone" {...(single === undefined ? {} : own)}>
      <Icon name="upload" size={36} />
      <p class="drop-zone-title">{single?.title ?? words.dropTitle}</p>
      <p class="muted">{single?.hint ?? words.dropHint}</p>
      <div class="drop-zone-buttons">
        <Button kind="primary" onClick={() => files.current?.click()}>
          {chooseLabel}
        </Button>
        {single === undefined ? <Button onClick={() => folder.current?.click()}>{words.chooseFolder}</Button> : null}
      </div>
      <input
        ref={files}
        type="file"
        class="drop-zone-input"
        data-kind="files"
        multiple={single === undefined}
        accept={accept.join(',')}
        tabIndex={-1}
        aria-label={chooseLabel}
        onChange={(event) => take(event.currentTarget)}
      />
      {single === undefined ? (
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
      ) : null}
    </div>
  );
}
