// A value that can be watched.

export interface Store<T> {
  get(): T;
  set(value: T): void;
  /// Calls the watcher now and after every change; gives a function that ends it.
  watch(watcher: (value: T) => void): () => void;
}

export function store<T>(value: T): Store<T> {
  const watchers = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const watcher of [...watchers]) watcher(value);
    },
    watch(watcher) {
      watchers.add(watcher);
      watcher(value);
      return () => watchers.delete(watcher);
    },
  };
}

/// A store that survives a reload; what cannot be read back is the given value.
export function remembered(key: string, value: boolean): Store<boolean>;
export function remembered(key: string, value: number): Store<number>;
export function remembered(key: string, value: string): Store<string>;
export function remembered<T>(key: string, value: T): Store<T> {
  const name = `ansatz.${key}`;
  try {
    const kept = localStorage.getItem(name);
    if (kept !== null) {
      const read: unknown = JSON.parse(kept);
      if (typeof read === typeof value) value = read as T;
    }
  } catch {
    // Without storage every visit is the first.
  }
  const result = store(value);
  result.watch((now) => {
    try {
      localStorage.setItem(name, JSON.stringify(now));
    } catch {
      // As above.
    }
  });
  return result;
}
