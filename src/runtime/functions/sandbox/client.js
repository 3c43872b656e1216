/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */
async function ne(e,n,t,s={}){let o=[],a=new Map,d=(r,i)=>{let u=`o${o.length}`,f=Se(u);return a.set(
f,o.length),o.push(i?{...r,as:u}:r),f},l=new Proxy({},{get:(r,i)=>Pe(String(i),d)}),c=t(l),y=new Set(
JSON.stringify(o).match(/(?<="\$":")o\d+/g)),p=await e.json({method:"POST",path:n,body:o.map(({as:r,
...i})=>r!==void 0&&y.has(r)?{...i,as:r}:i),query:{dry_run:s.dryRun||void 0},key:s.idempotencyKey??!0,
signal:s.signal}),m=r=>p.data[a.get(r)??-1]?.data??null;if(a.has(c))return m(c);if(!(typeof c!="obje\
ct"||c===null))return Array.isArray(c)?c.map(m):Object.fromEntries(Object.entries(c).map(([r,i])=>[r,
m(i)]))}var Pe=(e,n)=>({create:t=>n({op:"create",table:e,data:t},!0),update:(t,s,o={})=>n({op:"updat\
e",table:e,id:ee(t),data:s,...I(o)},!0),upsert:(t,{uniqueFields:s,...o})=>n({op:"upsert",table:e,unique_fields:s,
data:t,...I(o)},!0),delete:(t,s={})=>n({op:"delete",table:e,id:ee(t),...I(s)},!1),createEdge:t=>n({op:"\
create_edge",table:e,data:t},!1),deleteEdge:t=>n({op:"delete_edge",table:e,id:t},!1)}),I=e=>({...e.ifMatch===
void 0?{}:{if_match:e.ifMatch},...e.includeDeleted?{include_deleted:!0}:{},...e.hard?{hard_delete:!0}:
{}}),ee=e=>typeof e=="object"&&"$"in e?{$:e.$}:e,Se=e=>new Proxy({},{get:(n,t)=>typeof t=="string"?{
$:`${e}.${t}`}:void 0});function te(e){let n=typeof e=="object"?e.map(re).join(","):_e(String(e));if(n===""||n==="."||n===".\
.")throw new TypeError(`"${n}" is not the key of a record.`);return encodeURIComponent(n)}var x=e=>e.
flat().map(re).join(","),re=e=>{let n=String(e);return/[",]|^$/.test(n)?se(n):n},_e=e=>e.startsWith(
'"')?se(e):e,se=e=>`"${e.replaceAll('"','""')}"`;var k=e=>({...S(e),...M(e),page:e.page,page_size:e.pageSize,limit:e.limit,offset:e.offset,after:e.after,
before:e.before,_total:e.total,_rank:T(e.rank),_highlight:P(e.highlight)}),M=e=>({filters:e.where&&q(
e.where),search:e.search,_language:e.language,_fuzzy:T(e.fuzzy),ordering:P(e.ordering),_distinct:P(e.
distinct),only_deleted:T(e.onlyDeleted),include_deleted:T(e.includeDeleted),as_of:oe(e.asOf)}),S=e=>({
fields:P(e.fields),populate:Ee(e.populate),_annotate:e.annotate&&W(e.annotate),include_deleted:T(e.includeDeleted),
as_of:oe(e.asOf)}),q=e=>Object.keys(e).length===0?void 0:JSON.stringify(e);function L(e,{expect:n,limit:t,
all:s}){let o=JSON.stringify(e,(d,l)=>{if(l===void 0)throw new TypeError(`The filter "${d}" has no v\
alue: it is undefined.`);return l});return{filter:s===!0&&Object.keys(e).length===0?void 0:o,expect:n,
limit:t,all:T(s)}}var W=e=>Object.entries(e).map(([n,t])=>`${typeof t=="string"?t:t.expression} as ${n}`).
join(",");var T=e=>e===!0?!0:void 0,P=e=>e?.join(","),oe=e=>e instanceof Date?e.toISOString():e;function Ee(e){
if(e!==void 0)return Array.isArray(e)?e.join(","):JSON.stringify(ie(e))}var ie=e=>Object.fromEntries(
Object.entries(e).map(([n,t])=>[n,$e(t)])),$e=({where:e,ordering:n,fields:t,populate:s,...o})=>({...o,
...e?{filters:e}:{},...n?{ordering:n.join(",")}:{},...t?{fields:t.join(",")}:{},...s?{populate:Array.
isArray(s)?s.join(","):ie(s)}:{}});function ae(e,n){let t=(s,o,a,d)=>e.json({method:s,path:o,query:{dry_run:d.dryRun||void 0},body:a,key:d.
idempotencyKey??!0,signal:d.signal});return{async list({from:s,to:o,types:a,page:d,pageSize:l,total:c,
signal:y}={}){let m={...{from_id:s&&x(s),to_id:o&&x(o)},types:a?.join(","),page:d,page_size:l,_total:c},
r=await e.json({path:n,query:m,signal:y});return{data:r.results,total:r.total}},async create(s,o={}){
return(await t("POST",n,s,o)).results},async replace(s,o,a={}){let d=`${n}${encodeURIComponent(s)}/`;
return(await t("PATCH",d,o,a)).data},async delete(s,o={}){return(await t("DELETE",n,{edge_ids:s},o)).
deleted}}}function de(e,n,t){let s=(o,a,d)=>e.json({path:o===void 0?n:t(o),query:{...d,depth:a.depth,
relationship_type:a.types?.join(","),filters:a.where&&q(a.where),fields:a.fields?.join(","),ordering:a.
ordering?.join(",")},signal:a.signal});return{async walk(o,a,d={}){let{data:l,...c}=await s(o,d,{include:a});
return{record:l,related:c}},async tree(o={}){let{from:a,include:d,...l}=o;return[(await s(a,l,{format:"\
tree",...d?{include:d}:{}})).data].flat()},async graph(o={}){let{from:a,include:d,...l}=o,c={format:"\
graph",...d?{include:d}:{}};return(await s(a,l,c)).data}}}async function*ue(e){let n="";for await(let t of le(e)){let s=(n+t).split(`
`);n=s.pop()??"";for(let o of s)o.trim()!==""&&(yield JSON.parse(o))}n.trim()!==""&&(yield JSON.parse(
n))}var A=/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;async function*ce(e){let n="",t=[];for await(let s of le(
e)){n+=s,A.lastIndex=0;let o=0;for(let a=A.exec(n);a;a=A.exec(n)){let[,d,l,c]=a;t.push(d===void 0?l||
null:d.replaceAll('""','"')),o=A.lastIndex,c!==","&&(yield t,t=[],A.lastIndex=o)}n=n.slice(o)}if(n!==
"")throw new Error("The CSV ends within a row.")}async function*le({body:e}){if(!e)return;let n=e.getReader(),
t=new TextDecoder;try{for(;;){let{done:s,value:o}=await n.read();if(yield t.decode(o,{stream:!s}),s)
return}}finally{await n.cancel().catch(()=>{})}}async function _({transport:e,path:n},t){let{signal:s}=t,{data:o,total:a,page:d,page_size:l,meta:c}=await e.
json({path:n,query:k(t),signal:s}),{has_more:y,total_is:p,next:m=null,previous:r=null}=c;return{data:o,
total:a,totalIs:p,page:d,pageSize:l,hasMore:y,next:m,previous:r}}async function*D(e,n){let{after:t=""}=n;
for(;;){let s=await _(e,{...n,after:t});if((s.data.length>0||t==="")&&(yield s),s.next===null)return;
t=s.next}}var Ke=500;async function*fe(e,n){let{pageSize:t=Ke,total:s="none"}=n,o={...n,pageSize:t,total:s};
for await(let{data:a}of D(e,o))yield*a}function ye(e,n){let t=`${n}data/`,s={transport:e,path:t},o=r=>`${t}${te(r)}/`,a=(r,i,u,f,g={})=>e.json(
{method:r,path:i,query:{...g,dry_run:f.dryRun||void 0},body:u,key:f.idempotencyKey??!0,signal:f.signal}),
d=(r,i,u,f,g)=>e.json({method:r,path:o(i),query:{...g,include_deleted:f.includeDeleted||void 0,dry_run:f.
dryRun||void 0},body:u,key:f.idempotencyKey??!0,signal:f.signal,headers:f.ifMatch===void 0?{}:{"if-m\
atch":f.ifMatch}}),l=async r=>(await r).data;async function c(r,i,u,f,g){let w=f.atomic===!1?{atomic:!1}:
{},b=await a(r,i,u,f,{...g,...w});return{data:b.data??[],ignored:b.ignored??[],failed:b.failed??[]}}
async function y(r,i={}){return l(e.json({path:o(r),query:S(i),signal:i.signal}))}let p=(r,i)=>e.send(
{path:t,query:k(i),headers:{accept:r},signal:i.signal}),m=({values:r,by:i,having:u,ordering:f,...g})=>({
...k({...g,ordering:f}),_aggregate:W(r),_group_by:i?.join(","),_having:u?.join(",")});return{list:(r={})=>_(
s,r),pages:(r={})=>D(s,r),each:(r={})=>fe(s,r),search:(r,i={})=>_(s,{...i,search:r}),get:y,async getWithETag(r,i={}){
let u={path:o(r),query:S(i),signal:i.signal},f=await e.send(u),{data:g}=await f.json();return{data:g,
etag:f.headers.get("etag")}},async find(r,i={}){try{return await y(r,i)}catch(u){if(u instanceof Error&&
"status"in u&&u.status===404)return;throw u}},async count(r={}){let i={...M(r),_count:!0,_total:r.total};
return(await e.json({path:t,query:i,signal:r.signal})).total},async aggregate(r){let i=m(r),u={path:t,
query:i,signal:r.signal};return(await e.json(u)).aggregates},groups:r=>Ce(e,t,m(r),r.signal),async*stream(r={}){
yield*ue(await p("application/x-ndjson",r))},async*csv(r={}){yield*ce(await p("text/csv",r))},create:(r,i={})=>l(
a("POST",t,r,i)),createMany:(r,i={})=>c("POST",t,r,i,{on_conflict:i.onConflict}),update:(r,i,u={})=>l(
d("PATCH",r,i,u)),updateMany:(r,i={})=>c("PATCH",t,r,i,{}),async updateWhere(r,i,u={}){let f={...L(r,
u),return:"minimal"};return(await a("PATCH",t,i,u,f)).updated_count},replace:(r,i,u={})=>l(d("PUT",r,
i,u)),async upsert(r,{uniqueFields:i,...u}){let f={unique_fields:i.join(",")},g=await a("POST",`${t}\
upsert/`,r,u,f);return{data:g.data,created:g.created}},upsertMany:(r,{uniqueFields:i,...u})=>c("POST",
`${t}upsert/`,r,u,{unique_fields:i.join(",")}),async delete(r,i={}){await d("DELETE",r,void 0,i,{hard_delete:i.
hard||void 0})},async deleteMany(r,i={}){let u={ids:x(r),hard_delete:i.hard||void 0};return(await a(
"DELETE",t,void 0,i,u)).deleted},async deleteWhere(r,i={}){let u={...L(r,i),hard_delete:i.hard||void 0};
return(await a("DELETE",t,void 0,i,u)).deleted},history:(r,{page:i,pageSize:u,ordering:f,operation:g,
signal:w}={})=>e.json({path:`${o(r)}history/`,query:{page:i,page_size:u,ordering:f,operation:g},signal:w}),
restore:(r,i,u={})=>l(a("POST",`${o(r)}restore/${encodeURIComponent(i)}/`,void 0,u)),edges:ae(e,`${n}\
edges/`),...de(e,t,o)}}async function Ce(e,n,t,s){let o=await e.json({path:n,query:t,signal:s});return{
data:o.data,total:o.total,hasMore:o.meta.has_more}}function pe(e,n,t,s=()=>({})){let o=`/api/apps/${encodeURIComponent(n)}/`,a=new Map,d=c=>{let y=a.get(
c)??ye(ve(e,p=>t(n,c,p)),`${o}datatables/${encodeURIComponent(c)}/`);return a.set(c,y),y},l=new Map(
[["$batch",(c,y)=>ne(e,`${o}batch/`,c,y)],["$table",d],...Object.entries(s(o)),["then",void 0]]);return new Proxy(
{},{get:(c,y)=>typeof y!="string"||l.has(y)?l.get(String(y)):d(y)})}function ve(e,n){let t=async s=>{
let o=await e.send(s);return n(o),o};return{session:e.session,send:t,async json(s){let o=await(await t(
s)).text();return o===""?void 0:JSON.parse(o)}}}var h=class extends Error{name="TesseraError";status;code;body;messages;requestId;retryAfterSeconds;constructor({
method:n,path:t,status:s,body:o,headers:a}){let d=qe(o),l=Object.entries(d).flatMap(([c,y])=>y.map(p=>c?
`${c}: ${p}`:p));super(`${n} ${t} answered ${s}${l.length>0?`: ${l.join(" ")}`:""}`),this.status=s,this.
code=a.get("x-error-code")??"unknown",this.body=o,this.messages=d,this.requestId=a.get("x-request-id"),
this.retryAfterSeconds=G(a.get("retry-after"))}},Q=class extends h{name="InvalidRequestError"},R=class extends h{name="\
UnauthenticatedError"},N=class extends h{name="ForbiddenError"},E=class extends h{name="NotFoundErro\
r"},B=class extends h{name="ConflictError"},H=class extends h{name="StaleError"},$=class extends h{name="\
UnprocessableError"},z=class extends h{name="TooManyRequestsError"},U=class extends h{name="Unavaila\
bleError"},K=class extends Error{name="ConnectionError";constructor(n,t,s){super(`${n} ${t} got no a\
nswer: ${s instanceof Error?s.message:s}`,{cause:s})}},Ie=new Map([[400,Q],[401,R],[403,N],[404,E],[
409,B],[410,E],[412,H],[413,$],[422,$],[429,z],[503,U]]);async function C(e,n,t){let{status:s,headers:o}=t,
a=await t.text().catch(()=>"");return new(Ie.get(s)??h)({method:e,path:n,status:s,body:Me(a),headers:o})}
function Me(e){try{return JSON.parse(e)}catch{return e}}function qe(e){if(typeof e!="object"||e===null)
return{};let{details:n,detail:t,error:s,message:o,hint:a,field:d,...l}=e;if(typeof n=="object"&&n!==
null)return V(n);if(typeof t=="object"&&t!==null)return V(t);let c=[s,o,t,a].filter(y=>typeof y=="st\
ring");return c.length>0?{[typeof d=="string"?d:""]:c}:V({...l,error:s,message:o,detail:t,hint:a,field:d})}
var V=e=>Object.fromEntries(Object.entries(e).filter(([,n])=>Array.isArray(n)||typeof n=="string").map(
([n,t])=>[n,[t].flat().map(String)]));function G(e,n=Date.now()){if(e===null)return;if(/^\d+$/.test(
e))return Number(e);let t=Date.parse(e);return Number.isNaN(t)?void 0:Math.max(0,(t-n)/1e3)}var ge=429,Le=503;function me(e,n,t,{attempts:s=4,delayMaxMs:o=3e4}={}){if(e>=s)return;let a=n?.status===
ge||n?.status===Le;if(n!==void 0&&!a||n?.status!==ge&&!t)return;let d=G(n?.headers.get("retry-after")??
null),l=Math.min(o,200*2**e)*(.5+Math.random()/2),c=d===void 0?l:d*1e3+Math.random()*100;return c<=o?
c:void 0}function we(e,n){return new Promise((t,s)=>{n?.throwIfAborted();let o=()=>{clearTimeout(a),
s(n?.reason)},a=setTimeout(()=>{n?.removeEventListener("abort",o),t()},e);n?.addEventListener("abort",
o,{once:!0})})}function he(){let e=null;return{read:()=>e,write(n){e=n}}}var F="/api/auth/jwt/token/",We=1e4;function Te(e,n){if(e&&"apiKey"in e)return be(async()=>`Api-Key ${e.
apiKey}`);if(e&&"token"in e){let{token:t}=e;return be(async()=>`Bearer ${typeof t=="string"?t:await t()}`)}
return De(e,n)}function be(e){let n=()=>Promise.reject(new Error("This client has fixed credentials."));
return{authorization:e,async renew(t){let s=await e();return s===t?void 0:s},signIn:n,keep:n,signOut:n}}
function De(e={},n){let{username:t,password:s,store:o=he()}=e,a,d=r=>r===null?void 0:`Bearer ${r.access}`;
async function l(r,i){let u=await n(r,i);if(!u.ok)throw await C("POST",r,u);let f=Oe(await u.json());
return await o.write(f),f}let c=(r,i)=>l(F,{username:r,password:i});async function y(){return t!==void 0&&
s!==void 0?c(t,s):null}async function p(r){let i=await o.read();if(i===null)return y();if(r!==void 0&&
i.access!==r&&i.expiresAt>Date.now())return i;try{return await l(`${F}refresh/`,{refresh:i.refresh})}catch(u){
if(!(u instanceof R))throw u;return await o.write(null),y()}}function m(r){return a??=Ve(o,()=>p(r)).
finally(()=>{a=void 0}),a}return{async authorization(){if(a)return d(await a);let r=await o.read(),i=r!==
null&&r.expiresAt-We>Date.now();return d(i?r:await m(r?.access))},async renew(r){let i=await o.read();
if(r!==void 0&&d(i)!==r&&i!==null)return d(i);let u=d(await m(i?.access));return u===r?void 0:u},async signIn(r,i){
await c(r,i)},async keep(r){await o.write(Oe(r))},async signOut(){let r=await o.read();await o.write(
null),r&&await n(`${F}blacklist/`,{refresh:r.refresh})}}}var Oe=({access:e,refresh:n,expires_in:t})=>({
access:e,refresh:n,expiresAt:Date.now()+t*1e3});function Ve(e,n){if(e.alone)return e.alone(n);let{shared:t}=e,
{navigator:s}=globalThis;return t!==void 0&&s?.locks?s.locks.request(`tessera ${t}`,n):n()}var J="0.2.0";var Qe="x-tessera-version";function xe(e=console.warn){let n=!1;return({headers:t})=>{let s=n?null:t.
get(Qe);s!==null&&(n=!0,Ne(J,s)||e(`tessera-client ${J} may not fit this service, which has the vers\
ion ${s}. Install tessera-client@${s}.`))}}function Ne(e,n){let[[t,s],[o,a]]=[e,n].map(Be);return t===
o&&(t===0?s===a:s<=a)}var Be=e=>e.split(".",2).map(Number);function ke(e){let{url:n,site:t,retry:s,timeoutMs:o}=e,a=`${n.replace(/\/+$/,"")}${t===void 0?"":`/s\
ites/${encodeURIComponent(t)}`}`,d=e.fetch??(r=>globalThis.fetch(r)),l=xe();async function c(r,i){let{
method:u="GET",path:f,query:g,body:w,signal:b}=r,Re=`${a}${f}${Ue(g)}`,je=u==="GET"||i.has("idempote\
ncy-key");for(let X=1;;X++){b?.throwIfAborted();let O,Y,v=Ge(o,b);try{let j={method:u,headers:i,body:w===
void 0?null:JSON.stringify(w)};O=await d(new Request(Re,{...j,...v.signal?{signal:v.signal}:{}}))}catch(j){
if(b?.aborted)throw j;Y=j}finally{v.end()}let Z=me(X,O,je,s);if(Z===void 0){if(O)return l(O),O;throw new K(
u,f,Y)}await O?.body?.cancel(),await we(Z,b)}}let y=(r,i)=>c({method:"POST",path:r,body:i},new Headers(
{"content-type":"application/json"})),p=Te(e.auth,y);async function m(r){let i=He(r),u=w=>w&&i.set("\
authorization",w),f=await p.authorization();u(f);let g=await c(r,i);if(g.status===401){let w=await p.
renew(f);w!==void 0&&(await g.body?.cancel(),u(w),g=await c(r,i))}if(g.ok)return g;throw await C(r.method??
"GET",r.path,g)}return{session:p,send:m,async json(r){let u=await(await m(r)).text();return u===""?void 0:
JSON.parse(u)}}}function He({body:e,headers:n,key:t}){let s=new Headers({accept:"application/json",...n});
return e!==void 0&&s.set("content-type","application/json"),t&&s.set("idempotency-key",t===!0?ze():t),
s}var ze=()=>[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,"0")).
join("");function Ue(e={}){let n=Object.entries(e).flatMap(([t,s])=>s===void 0?[]:[[t,String(s)]]);return n.
length===0?"":`?${new URLSearchParams(n)}`}function Ge(e,n){if(e===void 0)return{signal:n,end:()=>{}};
let t=new AbortController,s=setTimeout(()=>t.abort(new Error(`No answer within ${e} ms.`)),e);return{
signal:n?AbortSignal.any([n,t.signal]):t.signal,end:()=>clearTimeout(s)}}var Fe="x-schema-hash";function Ae(e={},n=Je){let t=new Map;return(s,o,a)=>{let d=a.headers.get(Fe);
if(d===null)return;let l=`${s}/${o}`,c=t.get(l)??e[s]?.[o]??d;t.set(l,d),c!==d&&n({app:s,table:o,expected:c,
actual:d})}}var Je=({app:e,table:n})=>console.warn(`tessera-client: the schema of ${e}.${n} has chan\
ged. Generate its types again.`);function In(e,n,t){let{session:s,send:o,json:a}=ke({url:e,fetch:n}),d={session:s,send:y=>t(o(y)),json:y=>t(
a(y))},l=Ae(),c=new Map;return c.set("then",void 0),new Proxy(Object.freeze({}),{get(y,p){if(typeof p==
"string")return c.has(p)||c.set(p,pe(d,p,l)),c.get(p)}})}export{In as databaseOf};
