/** A process and all that it has started, with the kilobytes of each. */
export function treeOf(pid: number): Map<number, number>;
