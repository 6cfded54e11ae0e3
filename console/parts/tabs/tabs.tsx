/** Tabs that are links, so that every tab has an address. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../icon/icon.tsx';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly href: string;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly children?: ComponentChildren;
}

export function Tabs({ label, tabs, selected }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.id} class="tabs-tab" href={tab.href} aria-current={tab.id === selected ? 'page' : undefined}>
          <Icon name={tab.icon} size={16} />
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
