/** Starts things one after the other. When one fails, and at `stop`, those that run are stopped, the last one first. */
export async function starting<T>(
	work: (isRunning: (stop: () => Promise<unknown>) => void) => Promise<T>,
): Promise<T & { stop: () => Promise<void> }> {
	const stops: Array<() => Promise<unknown>> = [];
	const stop = async () => {
		for (const each of stops.splice(0).reverse()) await each();
	};
	try {
		return { ...(await work((each) => void stops.push(each))), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
