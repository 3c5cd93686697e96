/** Caches reads by key. A failed read is repeated, because each caller needs its own error. */
export class Once {
	private readonly read = new Map<string, Promise<unknown>>();

	async get<T>(key: string, read: () => Promise<T>): Promise<T> {
		if (!this.read.has(key)) {
			this.read.set(
				key,
				read().catch((error: unknown) => {
					this.read.delete(key);
					throw error;
				}),
			);
		}
		return (await this.read.get(key)) as T;
	}

	forget(key: string): void {
		this.read.delete(key);
	}
}
