/** Numbers of the service that the API reference leaves open ("not shown"), and of the simulation. */
export interface Settings {
	/** Most tags one site can have (Part A 8: numeric value not shown). */
	tagsPerSite: number;
	/** Most syncs that can be asked for per site and UTC day (Part A 8: numeric value not shown). */
	syncsPerDay: number;
	/** How long a sync takes, in milliseconds. */
	syncMs: number;
	/** How long a task takes when nothing else is asked for, in milliseconds. */
	taskMs: number;
	/** The share of a task's duration that it spends in `initializing`, 0 to 1. */
	taskInitializingShare: number;
	/** How many of the newest requests are remembered for inspection. */
	recordedRequests: number;
}

export const defaultSettings: Settings = {
	tagsPerSite: 10,
	syncsPerDay: 24,
	syncMs: 60_000,
	taskMs: 120_000,
	taskInitializingShare: 0.1,
	recordedRequests: 10_000,
};
