/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */
async function ee(e,n,t,s={}){let o=[],i=new Map,d=(r,a)=>{let c=`o${o.length}`,y=Re(c);return i.set(
y,o.length),o.push(a?{...r,as:c}:r),y},u=new Proxy({},{get:(r,a)=>Ae(String(a),d)}),l=t(u),p=new Set(
JSON.stringify(o).match(/(?<="\$":")o\d+/g)),m=await e.json({method:"POST",path:n,body:o.map(({as:r,
...a})=>r!==void 0&&p.has(r)?{...a,as:r}:a),query:{dry_run:s.dryRun||void 0},key:s.idempotencyKey??!0,
signal:s.signal}),f=r=>m.data[i.get(r)??-1]?.data??null;if(i.has(l))return f(l);if(!(typeof l!="obje\
ct"||l===null))return Array.isArray(l)?l.map(f):Object.fromEntries(Object.entries(l).map(([r,a])=>[r,
f(a)]))}var Ae=(e,n)=>({create:t=>n({op:"create",table:e,data:t},!0),update:(t,s,o={})=>n({op:"updat\
e",table:e,id:Z(t),data:s,...v(o)},!0),upsert:(t,{uniqueFields:s,...o})=>n({op:"upsert",table:e,unique_fields:s,
data:t,...v(o)},!0),delete:(t,s={})=>n({op:"delete",table:e,id:Z(t),...v(s)},!1),createEdge:t=>n({op:"\
create_edge",table:e,data:t},!1),deleteEdge:t=>n({op:"delete_edge",table:e,id:t},!1)}),v=e=>({...e.ifMatch===
void 0?{}:{if_match:e.ifMatch},...e.includeDeleted?{include_deleted:!0}:{},...e.hard?{hard_delete:!0}:
{}}),Z=e=>typeof e=="object"&&"$"in e?{$:e.$}:e,Re=e=>new Proxy({},{get:(n,t)=>typeof t=="string"?{$:`${e}\
.${t}`}:void 0});function ne(e){let n=typeof e=="object"?e.map(te).join(","):je(String(e));if(n===""||n==="."||n===".\
.")throw new TypeError(`"${n}" is not the key of a record.`);return encodeURIComponent(n)}var x=e=>e.
flat().map(te).join(","),te=e=>{let n=String(e);return/[",]|^$/.test(n)?re(n):n},je=e=>e.startsWith(
'"')?re(e):e,re=e=>`"${e.replaceAll('"','""')}"`;var k=e=>({...S(e),...M(e),page:e.page,page_size:e.pageSize,limit:e.limit,offset:e.offset,after:e.after,
before:e.before,_total:e.total,_rank:b(e.rank),_highlight:P(e.highlight)}),M=e=>({filters:e.where&&q(
e.where),search:e.search,_language:e.language,_fuzzy:b(e.fuzzy),ordering:P(e.ordering),_distinct:P(e.
distinct),only_deleted:b(e.onlyDeleted),include_deleted:b(e.includeDeleted),as_of:se(e.asOf)}),S=e=>({
fields:P(e.fields),populate:Pe(e.populate),_annotate:e.annotate&&W(e.annotate),include_deleted:b(e.includeDeleted),
as_of:se(e.asOf)}),q=e=>Object.keys(e).length===0?void 0:JSON.stringify(e);function L(e,{expect:n,limit:t,
all:s}){let o=JSON.stringify(e,(d,u)=>{if(u===void 0)throw new TypeError(`The filter "${d}" has no v\
alue: it is undefined.`);return u});return{filter:s===!0&&Object.keys(e).length===0?void 0:o,expect:n,
limit:t,all:b(s)}}var W=e=>Object.entries(e).map(([n,t])=>`${typeof t=="string"?t:t.expression} as ${n}`).
join(",");var b=e=>e===!0?!0:void 0,P=e=>e?.join(","),se=e=>e instanceof Date?e.toISOString():e;function Pe(e){
if(e!==void 0)return Array.isArray(e)?e.join(","):JSON.stringify(oe(e))}var oe=e=>Object.fromEntries(
Object.entries(e).map(([n,t])=>[n,Se(t)])),Se=({where:e,ordering:n,fields:t,populate:s,...o})=>({...o,
...e?{filters:e}:{},...n?{ordering:n.join(",")}:{},...t?{fields:t.join(",")}:{},...s?{populate:Array.
isArray(s)?s.join(","):oe(s)}:{}});function ae(e,n){let t=(s,o,i,d)=>e.json({method:s,path:o,query:{dry_run:d.dryRun||void 0},body:i,key:d.
idempotencyKey??!0,signal:d.signal});return{async list({from:s,to:o,types:i,page:d,pageSize:u,total:l,
signal:p}={}){let f={...{from_id:s&&x(s),to_id:o&&x(o)},types:i?.join(","),page:d,page_size:u,_total:l},
r=await e.json({path:n,query:f,signal:p});return{data:r.results,total:r.total}},async create(s,o={}){
return(await t("POST",n,s,o)).results},async replace(s,o,i={}){let d=`${n}${encodeURIComponent(s)}/`;
return(await t("PATCH",d,o,i)).data},async delete(s,o={}){return(await t("DELETE",n,{edge_ids:s},o)).
deleted}}}function ie(e,n,t){let s=(o,i,d)=>e.json({path:o===void 0?n:t(o),query:{...d,depth:i.depth,
relationship_type:i.types?.join(","),filters:i.where&&q(i.where),fields:i.fields?.join(","),ordering:i.
ordering?.join(",")},signal:i.signal});return{async walk(o,i,d={}){let{data:u,...l}=await s(o,d,{include:i});
return{record:u,related:l}},async tree(o={}){let{from:i,include:d,...u}=o;return[(await s(i,u,{format:"\
tree",...d?{include:d}:{}})).data].flat()},async graph(o={}){let{from:i,include:d,...u}=o,l={format:"\
graph",...d?{include:d}:{}};return(await s(i,u,l)).data}}}async function*de(e){let n="";for await(let t of le(e)){let s=(n+t).split(`
`);n=s.pop()??"";for(let o of s)o.trim()!==""&&(yield JSON.parse(o))}n.trim()!==""&&(yield JSON.parse(
n))}var A=/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;async function*ce(e){let n="",t=[];for await(let s of le(
e)){n+=s,A.lastIndex=0;let o=0;for(let i=A.exec(n);i;i=A.exec(n)){let[,d,u,l]=i;t.push(d===void 0?u||
null:d.replaceAll('""','"')),o=A.lastIndex,l!==","&&(yield t,t=[],A.lastIndex=o)}n=n.slice(o)}if(n!==
"")throw new Error("The CSV ends within a row.")}async function*le({body:e}){if(!e)return;let n=e.getReader(),
t=new TextDecoder;try{for(;;){let{done:s,value:o}=await n.read();if(yield t.decode(o,{stream:!s}),s)
return}}finally{await n.cancel().catch(()=>{})}}async function _({transport:e,path:n},t){let{signal:s}=t,{data:o,total:i,page:d,page_size:u,meta:l}=await e.
json({path:n,query:k(t),signal:s}),{has_more:p,total_is:m,next:f=null,previous:r=null}=l;return{data:o,
total:i,totalIs:m,page:d,pageSize:u,hasMore:p,next:f,previous:r}}async function*D(e,n){let{after:t=""}=n;
for(;;){let s=await _(e,{...n,after:t});if((s.data.length>0||t==="")&&(yield s),s.next===null)return;
t=s.next}}var _e=500;async function*ue(e,n){let t={pageSize:_e,total:"none",...n};for await(let{data:s}of D(
e,t))yield*s}function ye(e,n){let t=`${n}data/`,s={transport:e,path:t},o=r=>`${t}${ne(r)}/`,i=(r,a,c,y,g={})=>e.json(
{method:r,path:a,query:{...g,dry_run:y.dryRun||void 0},body:c,key:y.idempotencyKey??!0,signal:y.signal}),
d=(r,a,c,y,g)=>e.json({method:r,path:o(a),query:{...g,include_deleted:y.includeDeleted||void 0,dry_run:y.
dryRun||void 0},body:c,key:y.idempotencyKey??!0,signal:y.signal,headers:y.ifMatch===void 0?{}:{"if-m\
atch":y.ifMatch}}),u=async r=>(await r).data;async function l(r,a,c,y,g){let h=y.atomic===!1?{atomic:!1}:
{},O=await i(r,a,c,y,{...g,...h});return{data:O.data??[],ignored:O.ignored??[],failed:O.failed??[]}}
async function p(r,a={}){return u(e.json({path:o(r),query:S(a),signal:a.signal}))}let m=(r,a)=>e.send(
{path:t,query:k(a),headers:{accept:r},signal:a.signal}),f=({values:r,by:a,having:c,ordering:y,...g})=>({
...k({...g,ordering:y}),_aggregate:W(r),_group_by:a?.join(","),_having:c?.join(",")});return{list:(r={})=>_(
s,r),pages:(r={})=>D(s,r),each:(r={})=>ue(s,r),search:(r,a={})=>_(s,{...a,search:r}),get:p,async getWithETag(r,a={}){
let c={path:o(r),query:S(a),signal:a.signal},y=await e.send(c),{data:g}=await y.json();return{data:g,
etag:y.headers.get("etag")}},async find(r,a={}){try{return await p(r,a)}catch(c){if(c instanceof Error&&
"status"in c&&c.status===404)return;throw c}},async count(r={}){let a={...M(r),_count:!0,_total:r.total};
return(await e.json({path:t,query:a,signal:r.signal})).total},async aggregate(r){let a=f(r),c={path:t,
query:a,signal:r.signal};return(await e.json(c)).aggregates},groups:r=>Ee(e,t,f(r),r.signal),async*stream(r={}){
yield*de(await m("application/x-ndjson",r))},async*csv(r={}){yield*ce(await m("text/csv",r))},create:(r,a={})=>u(
i("POST",t,r,a)),createMany:(r,a={})=>l("POST",t,r,a,{on_conflict:a.onConflict}),update:(r,a,c={})=>u(
d("PATCH",r,a,c)),updateMany:(r,a={})=>l("PATCH",t,r,a,{}),async updateWhere(r,a,c={}){let y={...L(r,
c),return:"minimal"};return(await i("PATCH",t,a,c,y)).updated_count},replace:(r,a,c={})=>u(d("PUT",r,
a,c)),async upsert(r,{uniqueFields:a,...c}){let y={unique_fields:a.join(",")},g=await i("POST",`${t}\
upsert/`,r,c,y);return{data:g.data,created:g.created}},upsertMany:(r,{uniqueFields:a,...c})=>l("POST",
`${t}upsert/`,r,c,{unique_fields:a.join(",")}),async delete(r,a={}){await d("DELETE",r,void 0,a,{hard_delete:a.
hard||void 0})},async deleteMany(r,a={}){let c={ids:x(r),hard_delete:a.hard||void 0};return(await i(
"DELETE",t,void 0,a,c)).deleted},async deleteWhere(r,a={}){let c={...L(r,a),hard_delete:a.hard||void 0};
return(await i("DELETE",t,void 0,a,c)).deleted},history:(r,{page:a,pageSize:c,ordering:y,operation:g,
signal:h}={})=>e.json({path:`${o(r)}history/`,query:{page:a,page_size:c,ordering:y,operation:g},signal:h}),
restore:(r,a,c={})=>u(i("POST",`${o(r)}restore/${encodeURIComponent(a)}/`,void 0,c)),edges:ae(e,`${n}\
edges/`),...ie(e,t,o)}}async function Ee(e,n,t,s){let o=await e.json({path:n,query:t,signal:s});return{
data:o.data,total:o.total,hasMore:o.meta.has_more}}function pe(e,n,t,s=()=>({})){let o=`/api/apps/${encodeURIComponent(n)}/`,i=new Map,d=l=>{let p=i.get(
l)??ye($e(e,m=>t(n,l,m)),`${o}datatables/${encodeURIComponent(l)}/`);return i.set(l,p),p},u=new Map(
[["$batch",(l,p)=>ee(e,`${o}batch/`,l,p)],["$table",d],...Object.entries(s(o)),["then",void 0]]);return new Proxy(
{},{get:(l,p)=>typeof p!="string"||u.has(p)?u.get(String(p)):d(p)})}function $e(e,n){let t=async s=>{
let o=await e.send(s);return n(o),o};return{session:e.session,send:t,async json(s){let o=await(await t(
s)).text();return o===""?void 0:JSON.parse(o)}}}var w=class extends Error{name="TesseraError";status;code;body;messages;requestId;retryAfterSeconds;constructor({
method:n,path:t,status:s,body:o,headers:i}){let d=Ie(o),u=Object.entries(d).flatMap(([l,p])=>p.map(m=>l?
`${l}: ${m}`:m));super(`${n} ${t} answered ${s}${u.length>0?`: ${u.join(" ")}`:""}`),this.status=s,this.
code=i.get("x-error-code")??"unknown",this.body=o,this.messages=d,this.requestId=i.get("x-request-id"),
this.retryAfterSeconds=G(i.get("retry-after"))}},V=class extends w{name="InvalidRequestError"},R=class extends w{name="\
UnauthenticatedError"},B=class extends w{name="ForbiddenError"},E=class extends w{name="NotFoundErro\
r"},N=class extends w{name="ConflictError"},H=class extends w{name="StaleError"},$=class extends w{name="\
UnprocessableError"},z=class extends w{name="TooManyRequestsError"},U=class extends w{name="Unavaila\
bleError"},C=class extends Error{name="ConnectionError";constructor(n,t,s){super(`${n} ${t} got no a\
nswer: ${s instanceof Error?s.message:s}`,{cause:s})}},Ce=new Map([[400,V],[401,R],[403,B],[404,E],[
409,N],[410,E],[412,H],[413,$],[422,$],[429,z],[503,U]]);async function K(e,n,t){let{status:s,headers:o}=t,
i=await t.text().catch(()=>"");return new(Ce.get(s)??w)({method:e,path:n,status:s,body:Ke(i),headers:o})}
function Ke(e){try{return JSON.parse(e)}catch{return e}}function Ie(e){if(typeof e!="object"||e===null)
return{};let{details:n,detail:t,error:s,message:o,hint:i,field:d,...u}=e;if(typeof n=="object"&&n!==
null)return Q(n);if(typeof t=="object"&&t!==null)return Q(t);let l=[s,o,t,i].filter(p=>typeof p=="st\
ring");return l.length>0?{[typeof d=="string"?d:""]:l}:Q({...u,error:s,message:o,detail:t,hint:i,field:d})}
var Q=e=>Object.fromEntries(Object.entries(e).filter(([,n])=>Array.isArray(n)||typeof n=="string").map(
([n,t])=>[n,[t].flat().map(String)]));function G(e,n=Date.now()){if(e===null)return;if(/^\d+$/.test(
e))return Number(e);let t=Date.parse(e);return Number.isNaN(t)?void 0:Math.max(0,(t-n)/1e3)}var fe=429,ve=503;function ge(e,n,t,{attempts:s=4,delayMaxMs:o=3e4}={}){if(e>=s)return;let i=n?.status===
fe||n?.status===ve;if(n!==void 0&&!i||n?.status!==fe&&!t)return;let d=G(n?.headers.get("retry-after")??
null),u=Math.min(o,200*2**e)*(.5+Math.random()/2),l=d===void 0?u:d*1e3+Math.random()*100;return l<=o?
l:void 0}function me(e,n){return new Promise((t,s)=>{n?.throwIfAborted();let o=()=>{clearTimeout(i),
s(n?.reason)},i=setTimeout(()=>{n?.removeEventListener("abort",o),t()},e);n?.addEventListener("abort",
o,{once:!0})})}function we(){let e=null;return{read:()=>e,write(n){e=n}}}var F="/api/auth/jwt/token/",Me=1e4;function Oe(e,n){if(e&&"apiKey"in e)return he(async()=>`Api-Key ${e.
apiKey}`);if(e&&"token"in e){let{token:t}=e;return he(async()=>`Bearer ${typeof t=="string"?t:await t()}`)}
return qe(e,n)}function he(e){let n=()=>Promise.reject(new Error("This client has fixed credentials."));
return{authorization:e,async renew(t){let s=await e();return s===t?void 0:s},signIn:n,keep:n,signOut:n}}
function qe(e={},n){let{username:t,password:s,store:o=we()}=e,i,d=r=>r===null?void 0:`Bearer ${r.access}`;
async function u(r,a){let c=await n(r,a);if(!c.ok)throw await K("POST",r,c);let y=be(await c.json());
return await o.write(y),y}let l=(r,a)=>u(F,{username:r,password:a});async function p(){return t!==void 0&&
s!==void 0?l(t,s):null}async function m(r){let a=await o.read();if(a===null)return p();if(r!==void 0&&
a.access!==r&&a.expiresAt>Date.now())return a;try{return await u(`${F}refresh/`,{refresh:a.refresh})}catch(c){
if(!(c instanceof R))throw c;return await o.write(null),p()}}function f(r){return i??=Le(o,()=>m(r)).
finally(()=>{i=void 0}),i}return{async authorization(){if(i)return d(await i);let r=await o.read(),a=r!==
null&&r.expiresAt-Me>Date.now();return d(a?r:await f(r?.access))},async renew(r){let a=await o.read();
if(r!==void 0&&d(a)!==r&&a!==null)return d(a);let c=d(await f(a?.access));return c===r?void 0:c},async signIn(r,a){
await l(r,a)},async keep(r){await o.write(be(r))},async signOut(){let r=await o.read();await o.write(
null),r&&await n(`${F}blacklist/`,{refresh:r.refresh})}}}var be=({access:e,refresh:n,expires_in:t})=>({
access:e,refresh:n,expiresAt:Date.now()+t*1e3});function Le(e,n){if(e.alone)return e.alone(n);let{shared:t}=e,
{navigator:s}=globalThis;return t!==void 0&&s?.locks?s.locks.request(`tessera ${t}`,n):n()}function Te(e){let{url:n,site:t,retry:s,timeoutMs:o}=e,i=`${n.replace(/\/+$/,"")}${t===void 0?"":`/s\
ites/${encodeURIComponent(t)}`}`,d=e.fetch??(f=>globalThis.fetch(f));async function u(f,r){let{method:a="\
GET",path:c,query:y,body:g,signal:h}=f,O=`${i}${c}${Qe(y)}`,ke=a==="GET"||r.has("idempotency-key");for(let J=1;;J++){
h?.throwIfAborted();let T,X,I=Ve(o,h);try{let j={method:a,headers:r,body:g===void 0?null:JSON.stringify(
g)};T=await d(new Request(O,{...j,...I.signal?{signal:I.signal}:{}}))}catch(j){if(h?.aborted)throw j;
X=j}finally{I.end()}let Y=ge(J,T,ke,s);if(Y===void 0){if(T)return T;throw new C(a,c,X)}await T?.body?.
cancel(),await me(Y,h)}}let l=(f,r)=>u({method:"POST",path:f,body:r},new Headers({"content-type":"ap\
plication/json"})),p=Oe(e.auth,l);async function m(f){let r=We(f),a=g=>g&&r.set("authorization",g),c=await p.
authorization();a(c);let y=await u(f,r);if(y.status===401){let g=await p.renew(c);g!==void 0&&(await y.
body?.cancel(),a(g),y=await u(f,r))}if(y.ok)return y;throw await K(f.method??"GET",f.path,y)}return{
session:p,send:m,async json(f){let a=await(await m(f)).text();return a===""?void 0:JSON.parse(a)}}}function We({
body:e,headers:n,key:t}){let s=new Headers({accept:"application/json",...n});return e!==void 0&&s.set(
"content-type","application/json"),t&&s.set("idempotency-key",t===!0?De():t),s}var De=()=>[...crypto.
getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,"0")).join("");function Qe(e={}){
let n=Object.entries(e).flatMap(([t,s])=>s===void 0?[]:[[t,String(s)]]);return n.length===0?"":`?${new URLSearchParams(
n)}`}function Ve(e,n){if(e===void 0)return{signal:n,end:()=>{}};let t=new AbortController,s=setTimeout(
()=>t.abort(new Error(`No answer within ${e} ms.`)),e);return{signal:n?AbortSignal.any([n,t.signal]):
t.signal,end:()=>clearTimeout(s)}}var Be="x-schema-hash";function xe(e={},n=Ne){let t=new Map;return(s,o,i)=>{let d=i.headers.get(Be);
if(d===null)return;let u=`${s}/${o}`,l=t.get(u)??e[s]?.[o]??d;t.set(u,d),l!==d&&n({app:s,table:o,expected:l,
actual:d})}}var Ne=({app:e,table:n})=>console.warn(`tessera-client: the schema of ${e}.${n} has chan\
ged. Generate its types again.`);function Rn(e,n,t){let{session:s,send:o,json:i}=Te({url:e,fetch:n}),d={session:s,send:p=>t(o(p)),json:p=>t(
i(p))},u=xe(),l=new Map;return l.set("then",void 0),new Proxy(Object.freeze({}),{get(p,m){if(typeof m==
"string")return l.has(m)||l.set(m,pe(d,m,u)),l.get(m)}})}export{Rn as databaseOf};
