/** A place for one file: dropped, or chosen by a click or a key. */
import { useSignal } from '@preact/signals';
import { Icon } from '../icon/icon.tsx';

interface FileDropProps {
  readonly label: string;
  readonly hint: string;
  /** Extensions such as `.zip`. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

export function FileDrop({ label, hint, accept, onFile }: FileDropProps) {
  const isOver = useSignal(false);
  const take = (file: File | undefined) => {
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      class="file-drop"
      data-over={isOver.value || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        isOver.value = false;
        take(event.dataTransfer?.files[0]);
      }}
    >
      <Icon name="moveIn" size={28} />
      <strong>{label}</strong>
      <span class="muted">{hint}</span>
      <input
        type="file"
        class="unseen"
        accept={accept}
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          // The same file can be chosen again after a change of it.
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
