/**
 * Who may begin and who gets a thread, where some work takes a thousand times as long as most. Nothing can be paused in
 * a thread, so work that has turned out to be long gives its place up while it keeps its thread. Where it keeps all of
 * the usual threads, others pass by in one more; work that turns out to be long there as well has to make room for those
 * who wait, and begins again when a usual thread is free.
 */
import { problem } from '../lib/problem.ts';
import { RETRY_AFTER_SECONDS } from './places.ts';
import { type Waiting, waitIn } from './waiting-line.ts';

export type Lane = 'usual' | 'passing';

/** Why work ends that has to make room: it is to be begun again as such. */
export class SetBack extends Error {}

export interface LaneLimits {
  /** Usual threads. */
  readonly threads: number;
  /** What is under way at once and not long, with a thread or not yet. */
  readonly places: number;
  /** What is long beside that; more of it keeps its places. */
  readonly maxLong: number;
  /** One more that would wait for a place is refused. */
  readonly maxWaiting: number;
}

/** Calls back unless it is told not to. */
export type Alarm = (ring: () => void) => () => void;

export interface Turn {
  /** Resolves once there is a thread. Whoever waits gives up at the signal. */
  thread(signal: AbortSignal): Promise<Lane>;
  /** To be called once, when the thread is free. */
  leave(): void;
}

export interface Beginning {
  /** Whoever waits gives up at it. */
  readonly signal: AbortSignal;
  /** Work that was set back waits for a usual thread before it begins. */
  readonly wasSetBack: boolean;
  /** Whether it can begin again: else it does not pass by others. */
  readonly mayBeSetBack: boolean;
  /** Called when it has to end its thread and leave. */
  readonly whenSetBack: () => void;
}

export interface Lanes {
  /** Resolves once there is a place; `work-refused` if too many wait already. */
  begin(work: Beginning): Promise<Turn>;
}

interface Work {
  readonly setBack: () => void;
  readonly mayBeSetBack: boolean;
  isLong: boolean;
  isSetBack: boolean;
  lane: Lane | undefined;
  /** Of the alarm that tells when it is long. */
  calm: (() => void) | undefined;
}

interface WaitingWork extends Waiting {
  readonly work: Work;
}

/** The alarm rings when work has run for long enough to be long. */
export function createLanes(limits: LaneLimits, alarm: Alarm): Lanes {
  const underWay = new Set<Work>();
  /** In the order of asking: those without a place, and those with one or without need for it. */
  const forPlaces: WaitingWork[] = [];
  const forThreads: WaitingWork[] = [];

  const holding = (lane: Lane): readonly Work[] => [...underWay].filter((work) => work.lane === lane);
  const hasPlace = (): boolean => {
    const long = [...underWay].filter(({ isLong }) => isLong).length;
    return underWay.size - Math.min(long, limits.maxLong) < limits.places;
  };
  const watch = (work: Work): void => {
    if (work.isLong) return;
    work.calm = alarm(() => {
      work.isLong = true;
      arrange();
    });
  };
  const enter = (work: Work): void => {
    underWay.add(work);
    watch(work);
  };
  const give = (lane: Lane, { work, go }: WaitingWork): void => {
    work.lane = lane;
    underWay.add(work);
    watch(work);
    go();
  };

  const arrange = (): void => {
    while (hasPlace()) {
      const next = forPlaces.shift();
      if (next === undefined) break;
      enter(next.work);
      next.go();
    }
    while (holding('usual').length < limits.threads) {
      const next = forThreads.shift();
      if (next === undefined) return;
      give('usual', next);
    }
    const at = forThreads.findIndex(({ work }) => work.mayBeSetBack && !work.isLong);
    if (at < 0 || !holding('usual').every(({ isLong }) => isLong)) return;
    const [passing] = holding('passing');
    if (passing === undefined) {
      for (const next of forThreads.splice(at, 1)) give('passing', next);
    } else if (passing.isLong && !passing.isSetBack) {
      passing.isSetBack = true;
      passing.setBack();
    }
  };

  const waitFor = async (line: WaitingWork[], work: Work, signal: AbortSignal): Promise<void> => {
    const waited = waitIn(line, (go) => ({ work, go }), signal);
    arrange();
    await waited;
  };

  return {
    async begin({ signal, wasSetBack, mayBeSetBack, whenSetBack }) {
      signal.throwIfAborted();
      const work: Work = {
        setBack: whenSetBack,
        mayBeSetBack,
        isLong: wasSetBack,
        isSetBack: false,
        lane: undefined,
        calm: undefined,
      };
      if (wasSetBack) {
        await waitFor(forThreads, work, signal);
      } else if (hasPlace()) {
        enter(work);
      } else if (forPlaces.length < limits.maxWaiting) {
        await waitFor(forPlaces, work, signal);
      } else {
        throw problem('work-refused', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      return {
        async thread(threadSignal) {
          threadSignal.throwIfAborted();
          // How long it waits for others does not make it long.
          work.calm?.();
          if (work.lane === undefined) await waitFor(forThreads, work, threadSignal);
          return work.lane ?? 'usual';
        },
        leave() {
          work.calm?.();
          underWay.delete(work);
          arrange();
        },
      };
    },
  };
}

export function alarmAfter(milliseconds: number): Alarm {
  return (ring) => {
    const timer = setTimeout(ring, milliseconds).unref();
    return () => clearTimeout(timer);
  };
}
