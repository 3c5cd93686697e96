import type { AgencyRequest } from './requests';

export const strangers: AgencyRequest[] = [];
