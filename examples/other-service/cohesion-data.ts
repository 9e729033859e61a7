/** The records of the other social-cohesion service. */

export interface Structure {
  id: number;
  intitule: string;
  type: string;
  region: string;
}

export interface Intervention {
  id: number;
  reference: string;
  intitule: string;
  statut: string;
  structure_id: number;
  region: string;
  annee: number;
}

export interface Indicator {
  id: number;
  code: string;
  intitule: string;
  type: string;
  unite: string;
  valeur_courante: number;
  cible_annuelle: number;
  is_kpi: boolean;
}

export interface Financing {
  id: number;
  structure_id: number;
  exercice: number;
  bailleur: string;
  type: string;
  intitule: string;
  montant: number;
  devise: string;
  statut: string;
}

export interface Token {
  token: string;
  name: string;
  abilities: string[];
  /** The perimeter. */
  structures: number[];
  isActive: boolean;
  user: { id: number; name: string; email: string; role: string };
}

export interface Hook {
  url: string;
  secret: string;
}

export interface World {
  tokens: Token[];
  structures: Structure[];
  interventions: Intervention[];
  indicators: Indicator[];
  hooks: Hook[];
}

const annee = new Date().getUTCFullYear();
const regions = ['Poro', 'Gbêkê', 'Tonkpi', 'Bounkani', 'Cavally', 'Marahoué'];

export const demo: World = {
  tokens: [
    {
      token: '9f1c64d2ab3e57800c12',
      name: 'dashboard',
      structures: [1, 2],
      isActive: true,
      abilities: ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'],
      user: { id: 7, name: 'Awa Koné', email: 'awa@service.example', role: 'editor' },
    },
  ],
  structures: regions.map((region, at) => ({
    id: at + 1,
    intitule: `Structure de ${region}`,
    type: ['ong', 'ministere', 'partenaire'][at % 3] ?? 'ong',
    region,
  })),
  interventions: regions.map((region, at) => ({
    id: at + 1,
    reference: `INT-${at + 1}`,
    intitule: `Dialogue à ${region}`,
    statut: at === 5 ? 'brouillon' : 'en_cours',
    structure_id: at + 1,
    region,
    annee,
  })),
  indicators: [90, 70, 50, 100, 85, 60].map((value, at) => ({
    id: at + 1,
    code: `IND-${at + 1}`,
    intitule: `Indicateur ${at + 1}`,
    type: 'resultat',
    unite: '%',
    valeur_courante: value,
    cible_annuelle: 100,
    is_kpi: at % 2 === 0,
  })),
  hooks: [],
};
