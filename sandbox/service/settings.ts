import { planFeatures, type PlanFeature } from './plan';
import type { BackupDestinationRow } from './rows/accounts';

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
	/** Features that the account's plan has (Part A 4.6; which plan has which: not shown). */
	planFeatures: readonly PlanFeature[];
	/** How long an update of the account's branding goes on across its sites, in milliseconds. */
	settingUpdateMs: number;
	/** Whether the account can use the storage provider `cloudstore_b` (Part A 2.3). */
	cloudstoreBEnabled: boolean;
	/** Storage providers that can not be reached just now (Part A 7, status 503). */
	unavailableProviders: ReadonlyArray<BackupDestinationRow['provider']>;
	/** How long it takes to follow the link of a verification mail, in milliseconds. */
	ownershipConfirmationMs: number;
	/** How long it takes until a new DNS record of a sender's domain is found, in milliseconds. */
	dnsPublicationMs: number;
	/** How long a change of a site's configuration goes on, in milliseconds (Part B 3). */
	siteConfigurationMs: number;
	/** Most important pages one site can have (Part B 4.8: numeric value not shown). */
	importantPagesPerSite: number;
	/** Folders of the core installation (Part B 4.9: which paths these are is not shown). */
	corePaths: readonly string[];
	/** The name and e-mail of whoever the API token belongs to (Part B 2.3). */
	currentUser: { name: string; email: string };
	/** How long an e-mail takes to be delivered, or not, in milliseconds. */
	mailDeliveryMs: number;
	/** How long after it was sent an e-mail is opened, in milliseconds. */
	mailOpenMs: number;
	/** Days after which a new staging site expires (Part A 8: numeric value not shown). */
	stagingDays: number;
	/** Most days from its creation that a staging site can be kept (Part A 8: not shown). */
	stagingMaxDays: number;
	/** Most snapshots that are kept per site, so that a long-lived fleet stays small. */
	snapshotsPerSite: number;
	/** How long a living fleet keeps what is over (tasks, logs, reports …), in days. */
	historyDays: number;
	/** The longest time that is lived through after a pause of the service, in milliseconds. */
	catchUpMs: number;
	/** How many of the newest requests are remembered for inspection. */
	recordedRequests: number;
}

export const defaultSettings: Settings = {
	tagsPerSite: 10,
	syncsPerDay: 24,
	syncMs: 60_000,
	taskMs: 120_000,
	taskInitializingShare: 0.1,
	planFeatures,
	settingUpdateMs: 2_000,
	cloudstoreBEnabled: true,
	unavailableProviders: [],
	ownershipConfirmationMs: 60_000,
	dnsPublicationMs: 300_000,
	siteConfigurationMs: 1_000,
	importantPagesPerSite: 10,
	corePaths: ['./wp-admin/', './wp-includes/'],
	currentUser: { name: 'Sam Keeper', email: 'sam.keeper@agency.example.com' },
	mailDeliveryMs: 30_000,
	mailOpenMs: 3_600_000,
	stagingDays: 7,
	stagingMaxDays: 30,
	snapshotsPerSite: 30,
	historyDays: 30,
	catchUpMs: 24 * 60 * 60_000,
	recordedRequests: 10_000,
};
