import { endAll, type Started } from './ending';

/** Starts things one after the other. When one fails, and at `stop`, those that run are stopped, the last one first. */
export async function starting<T>(
	work: (runs: <S extends Started>(each: S) => S) => Promise<T>,
): Promise<T & { stop: () => Promise<void> }> {
	const started: Started[] = [];
	const stop = async () => await endAll(started);
	try {
		const outcome = await work((each) => {
			started.push(each);
			return each;
		});
		return { ...outcome, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
