/** Tabs that are links, so that every tab has an address. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
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
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow screens the tabs scroll.
    const tab = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current != null && tab != null) {
      nav.current.scrollLeft = tab.offsetLeft - (nav.current.clientWidth - tab.offsetWidth) / 2;
    }
  }, [selected]);
  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.id} class="tabs-tab" href={tab.href} aria-current={tab.id === selected ? 'page' : undefined}>
          <Icon name={tab.icon} size={16} />
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
